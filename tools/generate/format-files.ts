import { extname } from 'node:path';
import { format, resolveConfig } from 'prettier';

/** How a kind of generated file is formatted: prettier's parser, and the text that it gets. */
const KINDS: Readonly<Record<string, { parser: string; text: (source: string) => string }>> = {
  // An object without a line break is one line if that is wide enough.
  '.json': { parser: 'json', text: (source) => JSON.stringify(JSON.parse(source)) },
  '.ts': { parser: 'typescript', text: (source) => source },
};

/** Formats the generated files, by path, as the repository is formatted. Files of other kinds stay as they are. */
export async function formatFiles(files: Record<string, string>): Promise<Record<string, string>> {
  const style = await resolveConfig('tsconfig.json');
  const entries = Object.entries(files).map(async ([path, source]) => {
    const kind = KINDS[extname(path)];
    const text = kind ? await format(kind.text(source), { ...style, parser: kind.parser }) : source;
    return [path, text] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
