import { createHash } from 'node:crypto';

/** A file's text without BOM, its line ends as LF: what runs and what is compared. */
export function plainText(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}

/** SHA-256, hex, of a migration's text with one final newline: an editor's or git's line ends change nothing. */
export function checksum(text: string): string {
  const bytes = `${plainText(text).replace(/\n+$/, '')}\n`;
  return createHash('sha256').update(bytes, 'utf8').digest('hex');
}
