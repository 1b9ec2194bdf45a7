/** Which file imports which. A linter that follows the code as it runs misses half of it, hence this reads the syntax trees. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { importedFile } from './imports.mjs';

/**
 * Returns the files that each file imports. Every kind of import counts: static, dynamic and type-only imports, re-exports, and
 * `import('…')` as a type.
 *
 * @param folder the absolute path of the tree
 * @param paths the folders and files to read, relative to `folder`
 * @param withTypes false leaves out what is gone when the code runs
 */
export async function importGraph(folder, paths, { withTypes = true } = {}) {
  const files = paths.flatMap((path) => sourceFilesIn(folder, path));
  const { parseSync, Visitor } = await import('vite');
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const { program } = parseSync(file, readFileSync(join(folder, file), 'utf8'));
      const targets = specifiersIn(program, Visitor, withTypes).map((specifier) =>
        importedFile(file, specifier.replace(/\?.*$/, '')),
      );
      return [file, [...new Set(targets)].filter((target) => known.has(target))];
    }),
  );
}

function sourceFilesIn(folder, path) {
  if (!existsSync(join(folder, path))) return [];
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(folder, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !name.split(sep).includes('node_modules'))
    .map((name) => posix.join(path, name.split(sep).join('/')))
    .sort();
}

function specifiersIn(program, Visitor, withTypes) {
  const specifiers = [];
  const note = ({ type, source, importKind, exportKind }) => {
    const isType = type === 'TSImportType' || importKind === 'type' || exportKind === 'type';
    if (typeof source?.value === 'string' && (withTypes || !isType)) specifiers.push(source.value);
  };
  new Visitor({
    ImportDeclaration: note,
    ExportNamedDeclaration: note,
    ExportAllDeclaration: note,
    ImportExpression: note,
    TSImportType: note,
  }).visit(program);
  return specifiers;
}
