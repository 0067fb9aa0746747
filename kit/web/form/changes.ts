import '../zod/zod.ts'
import type { Field, Fields } from '#kit/contract/field.ts'
import { KIT_ERRORS } from '#kit/contract/errors.ts'
import type { ErrorTexts } from '#kit/contract/errors.ts'
import { reasonsOfZod } from '#kit/contract/issues.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { fillIn } from '../i18n/catalogue.ts'
import type { Problem } from '#kit/contract/schema.ts'

export type Values = Record<string, unknown>

/** Empty values are one: null, undefined, an empty text, an empty list. */
const plain = (value: unknown): unknown =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0) ? null : value
/** Whether two values of a field are the same: lists of ids by their members, decimals by their number. */
export function sameValue(a: unknown, b: unknown, kind?: Field['kind']): boolean {
  const [x, y] = [plain(a), plain(b)]
  if (Object.is(x, y)) return true
  if (x === null || y === null) return kind === 'flag' && Boolean(x) === Boolean(y)
  if (Array.isArray(x) && Array.isArray(y) && (kind === 'lookups' || kind === 'choices')) {
    return x.length === y.length && [...x].map(String).sort().join() === [...y].map(String).sort().join()
  }
  if (kind === 'decimal') return x !== '' && y !== '' && Number(x) === Number(y)
  return typeof x === 'object' && JSON.stringify(x) === JSON.stringify(y)
}

/** What differs from how it began. Names without a field (nested ones of rich forms) are compared by their shape. */
export function changesOf(before: Values, after: Values, fields: Fields): Values {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return Object.fromEntries(
    [...names]
      .filter((name) => !sameValue(before[name], after[name], fields[name]?.kind))
      .map((name) => [name, after[name] ?? null]),
  )
}

/** The value an input holds for what a row answers: ids of references and files. */
export function inputValue(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return field.kind === 'flag' ? false : null
  if (field.kind === 'lookups') return (value as { id: number }[]).map((r) => (typeof r === 'object' ? r.id : r))
  if (field.kind === 'rows') {
    const names = Object.keys(field.rows?.fields ?? {})
    // What a form proposes is there nowhere yet: such a row has no id.
    return (value as Values[]).map((row) => ({
      ...(row.id != null && { id: row.id }),
      ...Object.fromEntries(names.map((name) => [name, row[name] ?? null])),
    }))
  }
  if (field.kind === 'file') return typeof value === 'object' ? (value as { id: number }).id : value
  return value
}

/** The first thing that is wrong with the value of a field, or null. */
export function checkField(field: Field, name: string, value: unknown): Reason | null {
  const empty = plain(value) === null
  if (empty) return field.required && field.kind !== 'flag' ? { field: name, code: 'required' } : null
  const result = field.schema.safeParse(value, { reportInput: true })
  if (result.success) return null
  return { ...(reasonsOfZod(result.error)[0] ?? { code: 'wrong_type' }), field: name }
}

/** A reason with its texts: those of the kit, else of the area; a code unknown here says only that it is not allowed. */
export function withText(reason: Reason, errors: ErrorTexts = {}): Problem {
  const known = errors[reason.code] ?? (KIT_ERRORS as ErrorTexts)[reason.code]
  const label = known ?? KIT_ERRORS.check_failed
  return {
    field: reason.field ?? null,
    code: known ? reason.code : 'check_failed',
    en: fillIn(label[0], reason.data, 'en'),
    ar: fillIn(label[1], reason.data, 'ar'),
    ...(reason.data && { data: { ...reason.data } }),
  }
}

/** Value at a path such as `slots.0.quota`. */
export const at = (values: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((v, key) => (v === null || v === undefined ? undefined : (v as Values)[key]), values)

/** The nearest name that a form shows for a path the server refused: `slots.0.quota`, else `slots.0`, else `slots`. */
export function shownName(path: string, shown: ReadonlySet<string>): string | null {
  for (let p = path; ; p = p.slice(0, p.lastIndexOf('.'))) {
    if (shown.has(p)) return p
    if (!p.includes('.')) return null
  }
}
