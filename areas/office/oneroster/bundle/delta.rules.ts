/**
 * Delta mode: files that tell only what changed since the last import. They are laid over the files of that import, so that what
 * is checked, compared and imported is a whole bundle again. Source: OneRoster 1.2 CSV Binding, sections 3.2 (`bulk`, `delta`) and
 * 3.4: a row of a delta is added, stands instead of the one with its sourcedId, or marks it `tobedeleted`.
 */
import { READ_FILES } from './bundle.rules.ts'
import type { CsvFile, CsvRow } from './bundle.rules.ts'

type Files = Readonly<Record<string, CsvFile | undefined>>

/** The line of rows that no file at hand has: the last import brought them. */
export const EARLIER = 0

const PROPERTY = (file: CsvFile | undefined, name: string): string =>
  file?.rows.find(({ cells }) => cells.propertyName === name)?.cells.value ?? ''
const modeOf = (manifest: CsvFile | undefined, file: string): string => PROPERTY(manifest, `file.${file}`)
const versionOf = (manifest: CsvFile | undefined): string => PROPERTY(manifest, 'oneroster.version')
const OTHERS = Object.keys(READ_FILES).filter((name) => name !== 'manifest')

/** Whether a bundle tells of a file only what changed. */
export const isDelta = (manifest: CsvFile | undefined): boolean =>
  OTHERS.some((name) => modeOf(manifest, name) === 'delta')
/** From which system a bundle comes. */
export const sourceOf = (manifest: CsvFile | undefined): string =>
  PROPERTY(manifest, 'source.systemCode') || 'oneroster'

/** A role has no id that is read: it is one of a person. */
const keyOf = (file: string, { cells }: CsvRow): string =>
  file === 'roles' ? `${cells.userSourcedId} ${cells.roleType} ${cells.role}` : (cells.sourcedId ?? '')

function laidOver(file: string, base: CsvFile | undefined, delta: CsvFile): CsvFile {
  const told = new Set(delta.rows.map((row) => keyOf(file, row)))
  return {
    columns: [...new Set([...delta.columns, ...(base?.columns ?? [])])],
    rows: [
      ...(base?.rows ?? []).flatMap((row) => (told.has(keyOf(file, row)) ? [] : [{ ...row, line: EARLIER }])),
      ...delta.rows,
    ],
  }
}

/**
 * The whole bundle that a delta and the last import make: files in delta mode over those of the last import, bulk files instead
 * of them, and of files that are absent those of the last import. null: there is no last import of the same version to begin with.
 */
export function overLast(last: Files | null, given: Files): Files | null {
  if (!last || versionOf(last.manifest) !== versionOf(given.manifest)) return null
  const files: Record<string, CsvFile | undefined> = {}
  for (const name of OTHERS) {
    const own = given[name]
    const mode = modeOf(given.manifest, name)
    if (mode === 'delta' && own) files[name] = laidOver(name, last[name], own)
    else if (own || mode === 'bulk') files[name] = own
    else if (last[name]) files[name] = laidOver(name, last[name], { columns: [], rows: [] })
  }
  const modes = OTHERS.map((name) => ({
    line: EARLIER,
    cells: { propertyName: `file.${name}`, value: files[name] ? 'bulk' : 'absent' },
  }))
  return {
    ...files,
    manifest: {
      columns: given.manifest!.columns,
      rows: [
        ...given.manifest!.rows.filter(({ cells }) => !OTHERS.some((name) => cells.propertyName === `file.${name}`)),
        ...modes,
      ],
    },
  }
}

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
/** A file as CSV, with the columns that are read. */
export const bundleCsv = ({ columns, rows }: CsvFile, read: readonly string[]): string => {
  const own = read.filter((column) => columns.includes(column))
  return `${[own.join(','), ...rows.map(({ cells }) => own.map((column) => cell(cells[column] ?? '')).join(','))].join('\r\n')}\r\n`
}
