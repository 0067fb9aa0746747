import { KIT_ERRORS, fill } from '#kit/contract/index.ts'
import type { ErrorTexts, Label, PaperLanguage, Problem } from '#kit/contract/index.ts'
import { isInstant } from '#kit/contract/day.ts'
import { amountIn, moneyIn } from '#kit/contract/money.ts'
import { LOCALES, groupedNumber } from '#kit/contract/words.ts'
import { MOST_REASONS, countOf, reasonsOfZod } from '#kit/contract/issues.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { isStalePlan } from '#db/connect.ts'
import { SheetError } from '../sheets/index.ts'
import { instantIn } from './instant.ts'
import { FileError, StoreError } from '../storage/index.ts'
import { z } from 'zod'

export { reasonsOfZod }
export type { Reason }

/** Reasons that the message of a refusal names. */
const MOST_IN_LOG = 10

/**
 * The server does not do what was asked, for reasons a person understands. Every code has a text (`KIT_ERRORS` or the
 * `errors` of an area). Status: 422 invalid input, 401, 403, 404, 409 the state does not permit it, 429, 503.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly reasons: readonly Reason[]
  /** Reasons that were found besides, and are not listed. */
  readonly more: number
  constructor(status: number, reasons: readonly Reason[], options?: ErrorOptions & { more?: number }) {
    const told = reasons.slice(0, MOST_IN_LOG).map((r) => (r.field ? `${r.field}: ${r.code}` : r.code))
    super(told.join(', '), options)
    this.status = status
    this.reasons = reasons
    this.more = options?.more ?? 0
  }
}

/** A refusal for one reason: `throw refuse(409, 'state_not_allowed')`. */
export const refuse = (
  status: number,
  code: string,
  data?: Readonly<Record<string, unknown>>,
  field: string | null = null,
): Refusal => new Refusal(status, [{ field, code, data }])

// --- Texts ----------------------------------------------------------------------------------------------------------

const texts = new Map<string, Label>(Object.entries(KIT_ERRORS))

/** Adds the texts of an area. @throws {Error} when two areas give one code different texts */
export function registerErrors(area: string, errors: ErrorTexts): void {
  for (const [code, label] of Object.entries(errors)) {
    const known = texts.get(code)
    if (known && (known[0] !== label[0] || known[1] !== label[1])) {
      throw new Error(`The area ${area} gives the refusal '${code}' another text than stands already: ${known[0]}`)
    }
    texts.set(code, label)
  }
}

/** Whether a refusal has a text. */
export const hasText = (code: string): boolean => texts.has(code)

/** Data as the Arabic text takes it: where `x_local` is given, it stands at `{x}`. */
const local = (data: Reason['data']): Reason['data'] =>
  data && Object.fromEntries(Object.entries(data).map(([key, value]) => [key, data[`${key}_local`] ?? value]))

const DAY = /^\d{4}-\d{2}-\d{2}$/
const written = (locale: string) =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })
const DAYS = { en: written(LOCALES.en), ar: written(LOCALES.ar) }
/** Data as a sentence takes them: days (`YYYY-MM-DD`), amounts (`1250.50 EGP`) and numbers are written as people write them. */
const inWords = (data: Reason['data'], lang: PaperLanguage): Reason['data'] =>
  data &&
  Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      typeof value === 'string'
        ? asPeopleWrite(value, lang)
        : typeof value === 'number'
          ? groupedNumber(value, LOCALES[lang])
          : value,
    ]),
  )
function asPeopleWrite(value: string, lang: PaperLanguage): string {
  if (DAY.test(value) && !Number.isNaN(Date.parse(value))) return DAYS[lang].format(Date.parse(value))
  if (isInstant(value)) return instantIn(value, lang)
  const amount = amountIn(value)
  return amount ? moneyIn(amount.minor, amount.currency, LOCALES[lang]) : value
}

/** Adds both texts to a reason. @throws {Error} when the code has none: that is a mistake of the program */
export function toProblem(reason: Reason): Problem {
  const label = texts.get(reason.code)
  if (!label) throw new Error(`The refusal '${reason.code}' has no text: add it to the errors of its area`)
  return {
    field: reason.field ?? null,
    code: reason.code,
    en: fill(label[0], inWords(reason.data, 'en')),
    ar: fill(label[1], inWords(local(reason.data), 'ar')),
    ...(reason.data && { data: reason.data }),
  }
}

/** The one shape of error answers. */
export interface ErrorBody {
  message: string
  error: { en: string; ar: string }
  errors: Problem[]
  /** How many more were found than `errors` lists; large inputs are not searched to their end. */
  more?: number
}

/** What is answered for a refusal. `message` is its code, or `invalid_input` when fields are at fault. */
export function errorBody(refusal: Refusal): ErrorBody {
  const errors = refusal.reasons.slice(0, MOST_REASONS).map(toProblem)
  const more = refusal.reasons.length - errors.length + refusal.more
  const [first] = errors
  if (first && (refusal.status !== 422 || (errors.length === 1 && first.field === null))) {
    return { message: first.code, error: { en: first.en, ar: first.ar }, errors, ...(more && { more }) }
  }
  const { en, ar } = toProblem({ code: 'invalid_input' })
  return { message: 'invalid_input', error: { en, ar }, errors, ...(more && { more }) }
}

// --- Invalid input --------------------------------------------------------------------------------------------------

type Issues = readonly z.core.$ZodRawIssue[]

/** Stops at the first mistake of a list or object: what is right costs the same, and what is wrong nearly nothing. */
const AT_ONCE = { async: false, reportInput: true, abortEarly: true, error: () => '' } as const
/** Finds every mistake. The messages of Zod are never told, so none is made: the texts are those of the catalogue. */
const THOROUGH = { async: false, reportInput: true, error: () => '' } as const
/** Values of an input up to which every mistake is looked for; in more, only the first of each entry. */
const MOST_THOROUGH = 2000

const run = (schema: z.core.$ZodType, value: unknown, how: z.core.ParseContextInternal): z.core.ParsePayload => {
  const result = schema._zod.run({ value, issues: [] }, how)
  if (result instanceof Promise) throw new Error('Schemas of calls are checked at once; this one is asynchronous')
  return result
}

/** Whether an input holds more values than so many. */
function isLarge(input: unknown): boolean {
  let left = MOST_THOROUGH
  const visit = (value: unknown): boolean => {
    if (--left < 0) return true
    return typeof value === 'object' && value !== null && Object.values(value).some(visit)
  }
  return visit(input)
}

/** Of a large input: the first mistake of each field, and of each entry of its lists, as many as are told. */
function firstOfEach(schema: z.core.$ZodType, input: unknown): Issues {
  const found: z.core.$ZodRawIssue[] = []
  if (!(schema instanceof z.ZodObject) || typeof input !== 'object' || input === null) return found
  for (const [name, field] of Object.entries(schema.shape)) {
    const value: unknown = (input as Record<string, unknown>)[name]
    const { issues } = run(field, value, AT_ONCE)
    let list: unknown = field
    while (list instanceof z.ZodOptional || list instanceof z.ZodNullable || list instanceof z.ZodDefault)
      list = list.unwrap()
    // A list that is itself wrong, too long for one, has its mistake at its own place.
    if (!issues[0]?.path?.length || !(list instanceof z.ZodArray) || !Array.isArray(value)) {
      found.push(...z.core.util.prefixIssues(name, [...issues]))
      continue
    }
    for (const [i, entry] of value.entries()) {
      const inside = run(list.element, entry, AT_ONCE).issues
      found.push(...z.core.util.prefixIssues(name, z.core.util.prefixIssues(i, [...inside])))
      if (found.length > MOST_REASONS) return found
    }
  }
  return found
}

/**
 * Parses input with a schema. The search for mistakes is bounded: large input must not cause unlimited work or a very
 * long answer.
 *
 * @throws {Refusal} 422 naming each wrong field; `before` is prepended to their paths
 */
export function parse<T>(schema: z.ZodType<T>, input: unknown, before: readonly PropertyKey[] = []): T {
  const result = run(schema, input, AT_ONCE)
  if (!result.issues.length) return result.value as T
  const wrong = isLarge(input) ? firstOfEach(schema, input) : run(schema, input, THOROUGH).issues
  const found = wrong.length ? wrong : result.issues
  const issues = found.slice(0, MOST_ISSUES).map((issue) => z.core.util.finalizeIssue(issue, THOROUGH, z.core.config()))
  const reasons = reasonsOfZod({ issues }, before)
  const count = found.reduce((sum, issue) => sum + countOf(issue as { code?: string }), 0)
  throw new Refusal(422, reasons, { more: count > MOST_REASONS ? count - reasons.length : 0 })
}
/** Issues worked out to find the reasons: some say the same. */
const MOST_ISSUES = 4 * MOST_REASONS

// --- The database refuses -------------------------------------------------------------------------------------------

interface PgError extends Error {
  code?: string
  constraint?: string
  column?: string
  detail?: string
}

/** Columns named in a detail such as `Key (faculty_id, lower(code))=(1, x) already exists.` */
const columnsOf = (detail = ''): string[] =>
  (/^Key \((.*?)\)=\(/.exec(detail)?.[1] ?? '')
    .split(',')
    .map((c) => /([a-z_][a-z0-9_]*)\W*$/.exec(c.replace(/::\w+( \w+)*/g, '').replace(/,.*$/, ''))?.[1] ?? '')
    .filter(Boolean)

const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
])
/** How the driver says that it has no connection, or lost the one it had; it gives no code. */
const LOST = /^(Connection terminated|timeout exceeded when trying to connect|Client .* is not queryable$)/

/** No room, no permission to write, or no end in time: not a mistake of the program, and to be tried again later. */
const UNABLE: Readonly<Record<string, string>> = {
  // Others hold what is to be changed, or were always faster.
  '55P03': 'data_busy',
  '40001': 'data_busy',
  '40P01': 'data_busy',
  '57014': 'took_too_long',
  '53000': 'database_full',
  '53100': 'database_full',
  '53200': 'database_full',
  '53400': 'database_full',
  '25006': 'database_read_only',
}

/**
 * What a failure of the database means to the person who asked; undefined when it means a mistake of the program.
 * The name of the violated constraint is looked up in the texts first, so that an area can say what its rule means.
 */
export function refusalOfDatabase(error: unknown): Refusal | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', constraint = '', column, detail, message } = error as PgError
  const cause = { cause: error }
  const named = constraint && hasText(constraint) ? constraint : undefined
  // By what two names count as one is worked out of the name: it is the name that is taken.
  const columns = columnsOf(detail).map((c) => c.replace(/^(name|name_local)_key$/, '$1'))
  const field = columns.find((c) => !/(^|_)id$/.test(c)) ?? columns[0] ?? null
  switch (code) {
    case '23505':
    case '23P01':
      return new Refusal(422, [{ field, code: named ?? 'duplicate' }], cause)
    case '23503':
      return detail?.includes('still referenced')
        ? new Refusal(409, [{ code: named ?? 'in_use' }], cause)
        : new Refusal(422, [{ field: columns[0] ?? null, code: named ?? 'reference_missing' }], cause)
    case '23502':
      return new Refusal(422, [{ field: column ?? null, code: 'required' }], cause)
    case '23514':
      return new Refusal(422, [{ field: column ?? null, code: named ?? 'check_failed' }], cause)
    // A trigger refuses by the state it found: its message is the code, its detail what the text tells.
    case 'UE409':
      return new Refusal(409, [{ code: message, data: JSON.parse(detail ?? '{}') as Record<string, unknown> }], cause)
    // Input should be refused by its schema: that it came this far is a gap, which the log tells.
    case '22003':
    case '22007':
    case '22008':
    case '22009':
    case '22021':
    case '22P02':
    case '22P05':
      return new Refusal(422, [{ field: column ?? null, code: 'value_not_storable' }], cause)
  }
  const unable = UNABLE[code]
  if (unable) return new Refusal(503, [{ code: unable }], cause)
  if (AWAY.has(code) || LOST.test(message)) {
    return new Refusal(503, [{ code: 'maintenance' }], cause)
  }
  return undefined
}

/** A serialisation failure, a deadlock, or a plan that a migration made stale: the same work may succeed when done again. */
export const mayRetry = (error: unknown): boolean => {
  const { code } = (error ?? {}) as PgError
  return code === '40001' || code === '40P01' || isStalePlan(error)
}

/** Any failure as a refusal; undefined when it is unexpected. */
export function asRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof SheetError)
    return new Refusal(422, [{ field: 'file', code: error.code, data: error.data }], { cause: error })
  if (error instanceof FileError) return refusalOfFile(error)
  if (error instanceof StoreError)
    return new Refusal(503, [{ code: error.full ? 'file_store_full' : 'file_store_away' }], { cause: error })
  return refusalOfDatabase(error)
}

function refusalOfFile(error: FileError): Refusal {
  const cause = { cause: error }
  if (error.code === 'file_not_found') return new Refusal(404, [{ code: 'not_found' }], cause)
  const data =
    error.code === 'file_too_large'
      ? { max: Math.floor(Number(error.data.limit) / 1_000_000) }
      : { accepted: ((error.data.accepted ?? []) as string[]).join(', ') }
  return new Refusal(422, [{ field: 'file', code: error.code, data }], cause)
}
