import type { z } from 'zod'

/** One reason of a refusal before it has its texts. `field`: path in the input, e.g. `slots.0.quota`. */
export interface Reason {
  readonly field?: string | null
  readonly code: string
  /** Fills the `{places}` of the text, and goes with the answer; `x_local` stands at `{x}` in Arabic. */
  readonly data?: Readonly<Record<string, unknown>>
}

type Issue = z.core.$ZodIssue

const FORMATS: Readonly<Record<string, string>> = { email: 'email_not_valid', date: 'date_not_valid' }

/** How much an issue tells: that one of the alternatives of a union is not `null` tells nothing. */
const weight = (issues: readonly Issue[]): number =>
  issues.some((i) => i.path.length > 0 || !['invalid_type', 'invalid_value', 'invalid_union'].includes(i.code))
    ? 2
    : issues.some((i) => i.code === 'invalid_type' && i.expected === 'null') ||
        issues.some((i) => i.code === 'invalid_value' && i.values.length === 1 && i.values[0] === '')
      ? 0
      : 1

/** Reasons listed for one refusal: enough to see what is wrong. The number of further reasons is given. */
export const MOST_REASONS = 50
/** Issues looked at to find them: some say the same. */
const MOST_ISSUES = 4 * MOST_REASONS
/** Characters of a name that a caller chose; the rest is not repeated. */
const MOST_OF_NAME = 60
/** A name that a caller chose, as short as a real one may be. */
export const shortened = (name: string): string =>
  name.length > MOST_OF_NAME ? `${name.slice(0, MOST_OF_NAME).toWellFormed()}…` : name

/** How many mistakes an issue represents. */
export const countOf = (issue: { code?: string; keys?: readonly unknown[] }): number =>
  issue.code === 'unrecognized_keys' ? (issue.keys?.length ?? 1) : 1

function reasonsOf(issue: Issue, before: readonly PropertyKey[]): Reason[] {
  const path = [...before, ...issue.path].map((part) => shortened(String(part)))
  const field = path.length ? path.join('.') : null
  const one = (code: string, data?: Record<string, unknown>): Reason[] => [{ field, code, data }]
  const missing = issue.input === undefined || issue.input === null || issue.input === ''
  // A schema that names a refusal of its own (`.max(12, 'message_files')`) is refused by that.
  if (/^[a-z]\w+$/.test(issue.message))
    return one(issue.message, 'maximum' in issue ? { max: Number(issue.maximum) } : undefined)
  switch (issue.code) {
    case 'invalid_type':
      if (missing) return one('required')
      return one(issue.expected === 'int' && typeof issue.input === 'number' ? 'not_an_integer' : 'wrong_type')
    case 'invalid_value':
      return one(missing ? 'required' : 'not_a_choice')
    case 'too_small': {
      const min = Number(issue.minimum)
      if (issue.origin === 'string') return min === 1 ? one('required') : one('too_short', { min })
      if (issue.origin === 'array' || issue.origin === 'set') return one('too_few', { min })
      return one('too_small', { min })
    }
    case 'too_big': {
      const max = Number(issue.maximum)
      if (issue.origin === 'string') return one('too_long', { max })
      if (issue.origin === 'array' || issue.origin === 'set') return one('too_many', { max })
      return one('too_big', { max })
    }
    case 'not_multiple_of':
      return one('too_many_places', { places: Math.round(-Math.log10(issue.divisor)) })
    case 'invalid_format':
      return one(missing ? 'required' : (FORMATS[issue.format] ?? 'format_not_valid'))
    case 'unrecognized_keys':
      return issue.keys.slice(0, MOST_ISSUES).map((key) => ({
        field: [...path, shortened(key)].join('.'),
        code: 'unknown_field',
        data: { field: shortened(key) },
      }))
    case 'invalid_union': {
      if (missing) return one('required')
      const best = issue.errors.toSorted((a, b) => weight(b) - weight(a))[0]
      return best?.length
        ? best
            .slice(0, MOST_ISSUES)
            .flatMap((inner) => reasonsOf({ ...inner, input: inner.input ?? issue.input } as Issue, path))
        : one('wrong_type')
    }
    case 'custom': {
      const params = issue.params as { code?: string; data?: Record<string, unknown> } | undefined
      return one(
        params?.code ?? 'check_failed',
        params?.data && Object.keys(params.data).length ? params.data : undefined,
      )
    }
    default:
      return one('wrong_type')
  }
}

/**
 * Turns Zod's issues into reasons, the same on both sides, at most `MOST_REASONS`. Parse with `reportInput: true`, so
 * that an empty field can be distinguished from a wrong one.
 */
export const reasonsOfZod = (error: { issues: readonly Issue[] }, before: readonly PropertyKey[] = []): Reason[] => {
  const seen = new Set<string>()
  const reasons: Reason[] = []
  for (const issue of error.issues) {
    reasons.push(...reasonsOf(issue, before))
    if (reasons.length >= MOST_ISSUES) break
  }
  const wrong = new Set(reasons.filter((r) => r.code === 'wrong_type').map((r) => r.field))
  return reasons
    .filter((r) => r.code === 'wrong_type' || !wrong.has(r.field)) // How long a list is says nothing where a text should stand.
    .filter((r) => !seen.has(`${r.field} ${r.code}`) && seen.add(`${r.field} ${r.code}`))
    .slice(0, MOST_REASONS)
}
