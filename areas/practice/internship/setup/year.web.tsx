import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { emtyazYear } from './year.contract.ts'

/** Internship years: what a usual one says stands there already. */
export default resourceWeb(emtyazYear, {
  form: { initial: () => ({ periods: 12, period_weeks: 4, electives: 1, leave_days: 3, marks_days: 14 }) },
  list: {
    empty: {
      title: ['No internship years', 'لا توجد سنوات امتياز'],
      text: [
        'A year says when it begins, how many periods it has, and how it is judged.',
        'تحدد السنة موعد بدايتها وعدد فتراتها وقواعد اجتيازها.',
      ],
    },
  },
})
