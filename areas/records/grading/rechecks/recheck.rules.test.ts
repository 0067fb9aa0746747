import { expect, test } from 'vitest'
import { checkAsking, checkDeciding } from './recheck.rules.ts'
import type { Asking, RecheckFacts } from './recheck.rules.ts'

const asking: Asking = {
  kind: 'recheck',
  control_status: 'Published',
  takes_marks: true,
  mark: '50',
  full: false,
  names_closed: false,
  hidden: false,
  asked: false,
  running: false,
  window: { open: true, starts_at: '', ends_at: '' },
}
test.each<[Partial<Asking>, string[]]>([
  [{}, []],
  [{ control_status: 'Approved' }, ['recheck_not_published']],
  [{ hidden: true }, ['recheck_not_published']],
  [{ kind: 'correction', control_status: 'Draft', window: null }, ['correction_not_submitted']],
  [{ kind: 'correction', control_status: 'Submitted', window: null }, []],
  [{ names_closed: true }, ['recheck_names']],
  [{ takes_marks: false }, ['recheck_left']],
  [{ mark: null }, ['recheck_no_mark']],
  [{ full: true }, ['recheck_full']],
  // Who taught may have written too much.
  [{ kind: 'correction', full: true, window: null }, []],
  [{ asked: true, running: true }, ['recheck_asked_twice']],
  [{ running: true }, ['recheck_runs']],
  [{ window: null }, ['recheck_no_window']],
  [{ window: { open: false, starts_at: '', ends_at: '' } }, ['recheck_window']],
])('asking %o', (part, expected) =>
  expect(checkAsking({ ...asking, ...part }).map((one) => one.code)).toEqual(expected),
)

const deciding: RecheckFacts = {
  people: [1],
  assessors: [3],
  reviewed_by: 2,
  new_mark: '55',
  old_mark: '50',
  mark: '50',
  takes_marks: true,
  control_status: 'Published',
  names_closed: false,
}
test.each<[Partial<RecheckFacts>, string[]]>([
  [{}, []],
  [{ assessors: [1] }, ['recheck_first_assessor']],
  [{ reviewed_by: null }, ['recheck_not_reviewed']],
  [{ new_mark: null }, ['recheck_not_reviewed']],
  [{ reviewed_by: 1 }, ['recheck_same_person']],
  [{ new_mark: '50' }, ['recheck_same_mark']],
  [{ takes_marks: false }, ['recheck_left']],
  [{ names_closed: true }, ['recheck_names']],
  [{ mark: '51' }, ['recheck_moved']],
])('deciding %o', (part, expected) =>
  expect(checkDeciding({ ...deciding, ...part }).map((one) => one.code)).toEqual(expected),
)
