import { NotMade, label, quote, textsOf } from './new-words.ts'
import type { Texts } from './new-words.ts'

/** A field that is asked for with a resource: a word of `f` in the contract, a column, and a value in the demo rows. */
export interface NewField {
  readonly name: string
  readonly kind: string
  readonly required: boolean
  readonly min: number | undefined
  readonly max: number | undefined
  readonly called: Texts
}

/** Kinds that need nothing else, with the type of their column and a value of the demo university; others are written by hand. */
const KINDS: Readonly<Record<string, readonly [column: string, value: (field: NewField) => string]>> = {
  text: ['text', ({ called, max }) => quote(called.en.slice(0, max))],
  longText: ['text', ({ called }) => quote(called.en)],
  englishText: ['text', ({ called }) => quote(called.en)],
  localText: ['text', ({ called }) => quote(called.ar)],
  code: ['text', () => `'A1'`],
  email: ['text', () => `'office@example.edu'`],
  phone: ['text', () => `'+201001234567'`],
  integer: ['integer', ({ min, max }) => String(Math.min(max ?? 10, Math.max(min ?? 0, 10)))],
  money: ['bigint', () => '10_000'],
  date: ['date', () => `'2026-09-20'`],
  time: ['time', () => `'09:00'`],
  flag: ['boolean', () => 'true'],
}
const isLookup = ({ name }: { readonly name: string }): boolean => name.endsWith('_id')
/** What of a kind is bounded: a number by both ends, a text by its length. */
const isNumber = (kind: string): boolean => kind === 'integer'
const isText = (kind: string): boolean => kind === 'text' || kind === 'longText'

/** What is said of fields on the command line: each with the texts at the same place. @example fieldsGiven(['capacity/integer/required/1..500'], […]) */
export function fieldsGiven(given: readonly string[], called: readonly string[]): NewField[] {
  return given.map((one, i) => {
    const [name = '', kind = '', ...more] = one.split('/')
    const said = more.filter((word) => word !== 'required')
    const [, min, max] = /^(?:(\d+)\.\.)?(\d+)$/.exec(said[0] ?? '') ?? []
    if (!/^[a-z][a-z_]*$/.test(name) || !kind || said.length > 1 || (said.length && !max))
      throw new NotMade(`--field is a name, a kind and what is asked of it, like capacity/integer/required/1..500.`)
    if (!isLookup({ name }) && !Object.hasOwn(KINDS, kind))
      throw new NotMade(
        `--field ${one}: its kind is one of ${Object.keys(KINDS).join(', ')}, or of a name in _id the resource to which it points.`,
      )
    if (max && ((!isNumber(kind) && !isText(kind)) || (isText(kind) && min)))
      throw new NotMade(`--field ${one}: only an integer has bounds, and a text the length it may have, like text/40.`)
    return {
      name,
      kind,
      required: more.includes('required'),
      min: min === undefined ? undefined : Number(min),
      max: max === undefined ? undefined : Number(max),
      called: textsOf('called', called[i]),
    }
  })
}

/** The fields as a contract has them. */
export const fieldsOf = (fields: readonly NewField[]): string =>
  fields.length ? `  fields: {\n${fields.map((field) => `    ${field.name}: ${fieldOf(field)},\n`).join('')}  },\n` : ''
function fieldOf(field: NewField): string {
  const { kind, required, min, max, called } = field
  const options = [
    ...(required && kind !== 'flag' ? ['required: true'] : []),
    ...(min === undefined ? [] : [`min: ${min}`]),
    ...(max === undefined ? [] : [`max: ${max}`]),
  ]
  const more = options.length ? `, { ${options.join(', ')} }` : ''
  return isLookup(field) ? `f.lookup(${label(called)}, '${kind}'${more})` : `f.${kind}(${label(called)}${more})`
}

/** Their columns; `tables` are those of the resources to which they point. */
export const columnsOf = (fields: readonly NewField[], tables: ReadonlyMap<string, string>): string[] =>
  fields.map((field) => {
    const { name, kind, required, min = 0, max } = field
    const check =
      max === undefined
        ? ''
        : ` check (${isNumber(kind) ? `${name} between ${min} and ${max}` : `length(${name}) <= ${max}`})`
    if (kind === 'flag') return `${name} boolean not null default false`
    const type = isLookup(field)
      ? `integer${required ? ' not null' : ''} references ${tables.get(kind)}`
      : KINDS[kind]![0]
    return `${name} ${type}${required && !isLookup(field) ? ' not null' : ''}${check}`
  })

/** What a demo row says of them, and the tables it points to. */
export const valuesOf = (fields: readonly NewField[]): string =>
  fields.map((field) => `${field.name}: ${isLookup(field) ? '1' : KINDS[field.kind]![1](field)}`).join(', ')
export const lookupsOf = (fields: readonly NewField[]): string[] => [
  ...new Set(fields.filter(isLookup).map(({ kind }) => kind)),
]
