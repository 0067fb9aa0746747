import type { Reason } from '#kit/contract/issues.ts'

/** What is looked at before a work is listed. */
export interface ListedFacts {
  readonly year: number | null
  readonly members: number
  /** Members who belong to the university. */
  readonly inside: number
  readonly corresponding: number
}

/** Why a work cannot be listed yet: a list says when, by whom, and who of the university it is. */
export function checkListed({ year, members, inside, corresponding }: ListedFacts): Reason[] {
  const reasons: Reason[] = []
  if (year === null) reasons.push({ field: 'year', code: 'publication_year_missing' })
  if (members === 0) reasons.push({ code: 'publication_members_missing' })
  else if (inside === 0) reasons.push({ code: 'publication_nobody_inside' })
  if (corresponding > 1) reasons.push({ code: 'publication_corresponding_many', data: { count: corresponding } })
  return reasons
}

/** A DOI as it is written everywhere: without the address of a resolver, in small letters. null: it is none. */
export function normalDoi(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^(?:https?:\/\/)?(?:dx\.)?doi\.org\//i, '')
    .replace(/^doi:\s*/i, '')
    .replace(/[\s.,;]+$/, '')
    .toLowerCase()
  return /^10\.\d{4,9}\/\S+$/.test(bare) ? bare : null
}

/** An ORCID iD in groups of four, with or without its address; null: the check digit says that it is none (ISO 7064 mod 11-2). */
export function normalOrcid(text: string): string | null {
  const digits = text
    .trim()
    .replace(/^(?:https?:\/\/)?(?:www\.)?orcid\.org\//i, '')
    .replace(/[\s-]/g, '')
    .toUpperCase()
  if (!/^\d{15}[\dX]$/.test(digits)) return null
  let total = 0
  for (const digit of digits.slice(0, 15)) total = (total + Number(digit)) * 2
  const check = (12 - (total % 11)) % 11
  return digits[15] === (check === 10 ? 'X' : String(check)) ? digits.replace(/(.{4})(?=.)/g, '$1-') : null
}

/** An ISSN with its hyphen; null: the check digit says that it is none (ISO 3297, mod 11). */
export function normalIssn(text: string): string | null {
  const digits = text.replace(/[^\dXx]/g, '').toUpperCase()
  if (!/^\d{7}[\dX]$/.test(digits)) return null
  const sum = [...digits].reduce((all, sign, i) => all + (sign === 'X' ? 10 : Number(sign)) * (8 - i), 0)
  return sum % 11 === 0 ? `${digits.slice(0, 4)}-${digits.slice(4)}` : null
}

/** An ISBN without hyphens; null: the check digit says that it is none (ISO 2108). */
export function normalIsbn(text: string): string | null {
  const digits = text.replace(/[\s\u2010-\u2015-]/g, '').toUpperCase()
  if (/^\d{9}[\dX]$/.test(digits)) {
    const sum = [...digits].reduce((all, sign, i) => all + (sign === 'X' ? 10 : Number(sign)) * (10 - i), 0)
    return sum % 11 === 0 ? digits : null
  }
  if (!/^\d{13}$/.test(digits)) return null
  const sum = [...digits].reduce((all, sign, i) => all + Number(sign) * (i % 2 ? 3 : 1), 0)
  return sum % 10 === 0 ? digits : null
}

/** What is written of a work, as far as it is judged. */
export interface WrittenWork {
  readonly title?: unknown
  readonly title_local?: unknown
  readonly year?: unknown
  readonly month?: unknown
  readonly day?: unknown
  readonly doi?: unknown
  readonly issn?: unknown
  readonly isbn?: unknown
  readonly url?: unknown
}
const filled = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** Every reason why a work cannot be kept as it is written. `thisYear`: what is announced for later is at most of the next year. */
export function checkWork(work: WrittenWork, thisYear: number): Reason[] {
  const reasons: Reason[] = []
  if (!filled(work.title) && !filled(work.title_local)) reasons.push({ field: 'title', code: 'publication_title' })
  if (typeof work.year === 'number' && work.year > thisYear + 1)
    reasons.push({ field: 'year', code: 'publication_year_ahead', data: { year: thisYear + 1 } })
  if (work.month != null && work.year == null) reasons.push({ field: 'year', code: 'publication_date' })
  if (work.day != null) {
    if (work.month == null) reasons.push({ field: 'month', code: 'publication_date' })
    else if (Number(work.day) > new Date(Date.UTC(Number(work.year ?? 2000), Number(work.month), 0)).getUTCDate())
      reasons.push({ field: 'day', code: 'publication_day' })
  }
  if (filled(work.doi) && normalDoi(work.doi) === null) reasons.push({ field: 'doi', code: 'publication_doi' })
  if (filled(work.issn) && normalIssn(work.issn) === null) reasons.push({ field: 'issn', code: 'publication_issn' })
  if (filled(work.isbn) && normalIsbn(work.isbn) === null) reasons.push({ field: 'isbn', code: 'publication_isbn' })
  if (filled(work.url) && !/^https?:\/\/\S+$/i.test(work.url)) reasons.push({ field: 'url', code: 'publication_url' })
  return reasons
}
