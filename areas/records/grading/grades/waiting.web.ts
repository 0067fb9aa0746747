import { formatNumber, language, nameOf, translate } from '#kit/web/i18n/index.ts'
import { readOrNull, sendAllOrNone } from '#kit/web/offline/all-or-none.ts'
import type { NotSaved, Send, WaitingKind } from '#kit/web/offline/waiting.ts'
import { gradeCalls } from './grades.contract.ts'
import type { CellChange, Conflict, Grid } from './grades.contract.ts'

export const MARKS = 'grading.marks'

/** A mark that was entered without a line, with the version its editor saw. */
export interface WaitingMark extends CellChange {
  readonly offering_id: number
}
export const waitingMark = (data: WaitingMark) => ({
  id: `${MARKS}/${data.offering_id}/${data.registration_id}/${data.offering_mark_id}`,
  kind: MARKS,
  data,
})

/** A mark in words: nothing, absent, or the figure. */
export const markWords = (mark: string | null): string =>
  mark === null
    ? translate('grading', 'empty_mark')
    : mark === 'A'
      ? translate('grading', 'absent')
      : formatNumber(Number(mark))
const byWords = ({ by }: Conflict): string => (by ? nameOf(by, language()) : translate('grading', 'somebody'))

/** What a mark is about: the course, the student and the category. */
function aboutOf(grid: Grid | null, mark: WaitingMark): string {
  const l = language()
  const row = grid?.rows.find((one) => one.registration_id === mark.registration_id)
  const category = grid?.scheme.find((one) => one.id === mark.offering_mark_id)
  return [grid?.offering.course.code, row && nameOf(row.student, l), category && nameOf(category, l)]
    .filter(Boolean)
    .join(' · ')
}

/** Sends the marks of one offering. */
async function sendOffering(
  id: number,
  marks: readonly WaitingMark[],
  send: Send,
): Promise<Map<WaitingMark, NotSaved>> {
  const grid = (await readOrNull(send(gradeCalls.grid, { params: { id } })))?.data ?? null
  const notSaved = new Map<WaitingMark, NotSaved>()
  const answer = await sendAllOrNone(marks, {
    list: 'cells',
    save: (rest) =>
      send(gradeCalls.save, {
        body: { offering_id: id, cells: rest.map(({ offering_id: _of, ...cell }) => cell) },
      }),
    refuse: (mark, why) => notSaved.set(mark, { about: aboutOf(grid, mark), why }),
  })
  for (const conflict of answer?.conflicts ?? []) {
    const mark = marks.find(
      (one) => one.registration_id === conflict.registration_id && one.offering_mark_id === conflict.offering_mark_id,
    )
    if (!mark) continue
    notSaved.set(mark, {
      about: aboutOf(grid, mark),
      why: translate('grading', 'changed_meanwhile', { name: byWords(conflict) }),
      yours: markWords(mark.mark),
      theirs: markWords(conflict.theirs),
      again: { ...mark, version: conflict.version },
    })
  }
  return notSaved
}

/** How marks are sent that were entered without a line: with the version seen, so that nothing is overwritten unseen. */
const waitingMarks: WaitingKind<WaitingMark> = {
  changes: ['/control', '/offerings'],
  async send(changes, send) {
    const notSaved = new Map<WaitingMark, NotSaved>()
    for (const [offering, marks] of Map.groupBy(changes, (one) => one.offering_id))
      for (const [mark, why] of await sendOffering(offering, marks, send)) notSaved.set(mark, why)
    return changes.map((mark) => notSaved.get(mark) ?? null)
  },
}
export default waitingMarks
