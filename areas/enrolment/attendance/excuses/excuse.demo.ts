import { demoRequests } from '#demo/part.ts'
import { addDays } from '#kit/contract/day.ts'
import { excuse } from './excuse.contract.ts'

/** Excuses of the current term: those that wait, and those that were decided. */
export default demoRequests(
  excuse,
  (demo) => {
    const day = (n: number) => addDays(demo.today, -n)
    const absence = (why: string, from: number, until: number) => ({
      kind: 'absence',
      term_id: demo.current_terms.current_term,
      from_date: day(from),
      to_date: day(until),
      why,
    })
    return [
      ['requested', absence('كنت في المستشفى يومين.', 4, 3)],
      ['requested', absence('I had the flu and could not leave the house.', 3, 1)],
      ['accepted', absence('مشاركة في بطولة الجامعات لألعاب القوى.', 5, 4)],
      ['rejected', absence('The bus was late on both days.', 3, 2)],
      ['cancelled', absence('كُتب بالخطأ.', 2, 2)],
    ]
  },
  ['terms', 'current_terms'],
)
