import type { Reason } from '#kit/contract/issues.ts'
import type { MergeKind, MergedRecord } from './merge.contract.ts'
import type { PersonClues } from './two-people.rules.ts'

/** One of the two records, with its account, as a merge looks at them. */
export interface MergeSide {
  readonly id: number
  /** The code, by which its people know it; of an account the address, else the name. */
  readonly code: string
  readonly removed: boolean
  /** The record, or its account, is the own of who merges. */
  readonly own: boolean
  /** The account has rights that who merges does not have. */
  readonly above: boolean
  readonly blocked: boolean
  /** Somebody said that its data must not be changed or erased. */
  readonly on_hold: boolean
  readonly account_id: number | null
  /** 1 instructor, 2 employee, 3 student, 4 applicant */
  readonly account_type: number | null
  /** A directory keeps the account. */
  readonly in_directory: boolean
  /** Positions in chains of signatures. */
  readonly signs: readonly string[]
  /** Kinds of records that the account bears. */
  readonly bears: readonly ('student' | 'instructor')[]
  /** The records of a student that the account bears, and a student itself: one in each program. */
  readonly studies: readonly { readonly id: number; readonly program_id: number }[]
}

/** What two records have that does not go together, in the words of codes and names. */
export interface Collisions {
  /** Courses that both are registered for in one term, as `CODE (term)`. */
  readonly courses: readonly string[]
  /** Terms that are finished for both. */
  readonly terms: readonly string[]
  /** Years in which both are enrolled. */
  readonly years: readonly string[]
  /** Courses in which both have a result, and not the same. */
  readonly results: readonly string[]
  /** Courses of both that meet at one time, as `CODE – CODE`. */
  readonly clashes: readonly string[]
  /** Terms in which both together have more hours than the bylaw ever allows. */
  readonly loads: readonly { readonly term: string; readonly hours: number; readonly most: number }[]
  /** The record that goes studies under another bylaw, and has registrations there. */
  readonly bylaw: { readonly from: string; readonly into: string } | null
  /** The record that goes was transferred, has credits or asks for a transfer; or the one that stays was, and the other has courses. */
  readonly transferred: 'merged' | 'kept' | null
  /** Meetings that both teach at one time. */
  readonly teaching: readonly string[]
  /** Students that both advise together, where that is more than the places of the one that stays. */
  readonly advised: { readonly count: number; readonly most: number } | null
  /** Somebody said that two people are behind them. */
  readonly two: PersonClues | null
}
export const NO_COLLISIONS: Collisions = {
  courses: [],
  terms: [],
  years: [],
  results: [],
  clashes: [],
  loads: [],
  bylaw: null,
  transferred: null,
  teaching: [],
  advised: null,
  two: null,
}

const named = (list: readonly string[]): string => list.join(', ')

/** Every reason why two records are not merged; none means yes. */
export function mergeProblems(kind: MergeKind, kept: MergeSide, merged: MergeSide, found: Collisions): Reason[] {
  const out: Reason[] = []
  const say = (code: string, data?: Readonly<Record<string, unknown>>) => void out.push({ code, ...(data && { data }) })
  for (const one of [kept, merged]) {
    const who = { who: one.code }
    if (one.removed) say('merge_removed', who)
    if (one.own) say('merge_own', who)
    if (one.above) say('merge_more_rights', who)
    if (one.blocked) say('merge_blocked', who)
    if (one.on_hold) say('merge_on_hold', who)
  }
  if (found.two) say('merge_not_double', { ...found.two })
  // Two accounts become one only where both are of one kind, and nothing else depends on the one that is closed.
  if (kept.account_id !== null && merged.account_id !== null && kept.account_id !== merged.account_id) {
    if (kept.account_type !== merged.account_type) say('merge_accounts_differ', { who: kept.code, other: merged.code })
    if (merged.in_directory) say('merge_in_directory', { who: merged.code })
    if (merged.signs.length) say('merge_signs', { who: merged.code, positions: named(merged.signs) })
    if (kind !== 'instructor' && kept.bears.includes('instructor') && merged.bears.includes('instructor'))
      say('merge_instructors_first')
  }
  // Records in different programs both live, and are those of the account that stays; in one program there is one.
  const follow = merged.account_id === kept.account_id ? [] : merged.studies
  if (
    follow.some(
      (one) =>
        (kind !== 'student' || one.id !== merged.id) && kept.studies.some((own) => own.program_id === one.program_id),
    )
  )
    say('merge_students_first')
  if (found.bylaw) say('merge_other_bylaw', { who: merged.code, ...found.bylaw })
  if (found.transferred === 'merged') say('merge_transfers', { who: merged.code })
  if (found.transferred === 'kept') say('merge_former_study', { who: kept.code, other: merged.code })
  if (found.courses.length) say('merge_same_course', { courses: named(found.courses) })
  if (found.terms.length) say('merge_finished_term', { terms: named(found.terms) })
  if (found.years.length) say('merge_same_year', { years: named(found.years) })
  if (found.results.length) say('merge_results_differ', { courses: named(found.results) })
  if (found.clashes.length) say('merge_time_clash', { courses: named(found.clashes) })
  for (const load of found.loads) say('merge_load', { ...load })
  if (found.teaching.length) say('merge_teaching_clash', { courses: named(found.teaching) })
  if (found.advised) say('merge_advised', { who: kept.code, ...found.advised })
  return out
}

const empty = (value: unknown): boolean => value === null || value === undefined || value === ''

/** Whose value stays: as chosen, else that of the record that stays, else the other's. What is not read is not chosen. */
export const sideOf = (
  kept: unknown,
  merged: unknown,
  chosen: MergedRecord | undefined,
  hidden: boolean,
): MergedRecord => (chosen && !hidden ? chosen : empty(kept) && !empty(merged) ? 'merged' : 'kept')
