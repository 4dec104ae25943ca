import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  GenericContainer,
  getContainerRuntimeClient,
  ImageName,
  type StartedTestContainer,
} from 'testcontainers';
import { ready } from './ready.mjs';
import {
  type Container,
  IN_MEMORY,
  localImage,
  pgbouncer,
  type ServerName,
  serverNames,
  servers,
  serverUrl,
} from './table.mjs';

const RUN_LABEL = 'chronos-test.run';

/** The containers of one run of the suite. */
export class Containers {
  readonly #started = new Map<string, StartedTestContainer>();
  // .ci/run names the run, to find what a killed one left behind.
  readonly #run = process.env.CHRONOS_TEST_RUN ?? `${process.pid}`;

  /** The reason why no container can run here, or null. */
  async unavailable(): Promise<string | null> {
    try {
      await getContainerRuntimeClient();
    } catch {
      return 'no Docker';
    }
    // Local images stand for a machine without a registry, where the container that cleans up after a killed run cannot be pulled.
    const local = await Promise.all(serverNames.map((name) => exists(localImage(name))));
    if (local.includes(true) || keepsServers()) process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true';
    return null;
  }

  async startServer(name: ServerName): Promise<string> {
    const server = servers[name];
    return this.#start(name, new GenericContainer(await image(name, server)), server);
  }

  async startPgbouncer(): Promise<string> {
    const upstream = this.#started.get('postgres18');
    if (!upstream) throw new Error('its postgres18 is not one that this run started');
    const local = localImage('pgbouncer');
    const container = (await exists(local)) ? new GenericContainer(local) : await buildPgbouncer(local);
    const UPSTREAM_HOST = upstream.getIpAddress('bridge');
    const env = { ...pgbouncer.env, UPSTREAM_HOST, UPSTREAM_PORT: `${servers.postgres18.port}` };
    return this.#start('pgbouncer', container, { ...pgbouncer, env });
  }

  async stop(): Promise<void> {
    const containers = [...this.#started.values()];
    if (!keepsServers()) await Promise.all(containers.map((container) => container.stop()));
    else if (containers.length > 0) {
      const ids = containers.map((container) => container.getId().slice(0, 12));
      console.log(`CHRONOS_TEST_KEEP: the servers still run; end them with: docker rm -fv ${ids.join(' ')}`);
    }
  }

  /** Also what is just starting. Without the docker command they stay, for the person who pressed Ctrl-C to see. */
  removeNow(): void {
    if (keepsServers()) return;
    const remove = `docker ps -aq --filter label=${RUN_LABEL}=${this.#run} | xargs -r docker rm -fv`;
    execFileSync('sh', ['-c', remove], { stdio: 'ignore' });
  }

  async #start(name: string, container: GenericContainer, server: Container): Promise<string> {
    if (server.data !== undefined) container.withTmpFs({ [server.data]: IN_MEMORY });
    const started = await container
      .withEnvironment(server.env)
      .withCommand(server.command)
      .withSharedMemorySize(server.sharedMemory)
      .withExposedPorts(server.port)
      .withLabels({ [RUN_LABEL]: this.#run })
      .start();
    this.#started.set(name, started);
    // By number, as the servers that the tests make themselves: testcontainers names the bridge's gateway where it
    // takes the machine for a container, and `localhost` may mean ::1 first.
    const { DOCKER_HOST, TESTCONTAINERS_HOST_OVERRIDE } = process.env;
    const host = DOCKER_HOST || TESTCONTAINERS_HOST_OVERRIDE ? started.getHost() : '127.0.0.1';
    const url = serverUrl(server, host, started.getMappedPort(server.port));
    await ready(url);
    return url;
  }
}

/** A kept database is worth nothing without its server. */
export function keepsServers(): boolean {
  return Boolean(process.env.CHRONOS_TEST_KEEP);
}

async function image(name: ServerName, { officialImage }: Container): Promise<string> {
  if (officialImage === null || (await exists(localImage(name)))) return localImage(name);
  if (!(await exists(officialImage))) console.log(`pulling ${officialImage} …`);
  return officialImage;
}

async function exists(name: string): Promise<boolean> {
  const client = await getContainerRuntimeClient();
  return client.image.exists(ImageName.fromString(name));
}

function buildPgbouncer(name: string): Promise<GenericContainer> {
  console.log(`building ${name} …`);
  const context = fileURLToPath(new URL('.', import.meta.url));
  return GenericContainer.fromDockerfile(context)
    .withBuildArgs({ PACKAGES: pgbouncer.packages, ENTRYPOINT: pgbouncer.entrypoint })
    .build(name, { deleteOnExit: false });
}
