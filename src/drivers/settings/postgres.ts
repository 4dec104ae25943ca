const WANTED = Object.freeze({ client_encoding: 'UTF8', array_nulls: 'on' });

/** An expression for the settings of a session that are refused, in words; '' for none. */
export const POSTGRES_SETTINGS: string = `concat_ws(', ', ${Object.entries(WANTED)
  .map(
    ([name, wanted]) =>
      `case when current_setting('${name}') <> '${wanted}' then '${name} = ' || current_setting('${name}') || ' (must be ${wanted})' end`,
  )
  .join(', ')})`;
