// The fastest way into a table of Postgres: COPY in its binary form, by hand.

const HEAD = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const END = Buffer.from([0xff, 0xff]);

/** @param {Buffer} bytes */
function field(bytes) {
  const size = Buffer.alloc(4);
  size.writeInt32BE(bytes.length);
  return [size, bytes];
}

/** @param {Float32Array} vector */
function vectorField(vector) {
  const bytes = Buffer.alloc(4 + 4 * vector.length);
  bytes.writeInt16BE(vector.length, 0);
  bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), 4);
  bytes.subarray(4).swap32();
  return field(bytes);
}

/**
 * Rows of (tenant_id, id, embedding, metadata, content) as one COPY.
 * @param {string} tenant
 * @param {readonly { id: string, vector: Float32Array, metadata: object }[]} rows
 */
function encoded(tenant, rows) {
  const fields = Buffer.from([0, 5]);
  const owner = field(Buffer.from(tenant));
  const none = Buffer.from([0xff, 0xff, 0xff, 0xff]);
  /** @type {Buffer[]} */
  const parts = [HEAD];
  for (const { id, vector, metadata } of rows) {
    // jsonb in its binary form is its version and its text.
    const json = field(Buffer.concat([Buffer.from([1]), Buffer.from(JSON.stringify(metadata))]));
    parts.push(fields, ...owner, ...field(Buffer.from(id)), ...vectorField(vector), ...json, none);
  }
  return Buffer.concat([...parts, END]);
}

/** A COPY as node-postgres runs a query. */
class Copy {
  /**
   * @param {string} text
   * @param {Buffer} bytes
   */
  constructor(text, bytes) {
    this.text = text;
    this.bytes = bytes;
    /** @type {Promise<void>} */
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** @param {any} connection */
  submit(connection) {
    connection.query(this.text);
  }

  /** @param {any} connection */
  handleCopyInResponse(connection) {
    connection.sendCopyFromChunk(this.bytes);
    connection.endCopyFrom();
  }

  handleCommandComplete() {}

  handleReadyForQuery() {
    this.resolve?.();
  }

  /** @param {unknown} error */
  handleError(error) {
    this.reject?.(error);
  }
}

/**
 * @param {import('pg').Client} client
 * @param {string} table
 * @param {string} tenant
 * @param {readonly { id: string, vector: Float32Array, metadata: object }[]} rows
 */
export async function copyRows(client, table, tenant, rows) {
  const copy = new Copy(
    `copy ${table} (tenant_id, id, embedding, metadata, content) from stdin (format binary)`,
    encoded(tenant, rows),
  );
  client.query(/** @type {any} */ (copy));
  await copy.done;
}
