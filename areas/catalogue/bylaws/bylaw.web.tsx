import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { bylaw } from './bylaw.contract.ts'
import { Programs } from './programs.web.tsx'
import { Grades, Levels, Rules } from './settings.web.tsx'

export default resourceWeb(bylaw, {
  form: {
    initial: () => ({ program_type: 'credit_hours', in_admission: false, start_year: new Date().getFullYear() }),
  },
  detail: {
    panels: [
      { key: 'grades', title: ['Grades', 'التقديرات'], Content: Grades },
      { key: 'levels', title: ['Levels and loads', 'المستويات والعبء'], Content: Levels },
      { key: 'rules', title: ['Rules', 'القواعد'], Content: Rules },
      { key: 'programs', title: ['Programs and requirements', 'البرامج والمتطلبات'], Content: Programs },
    ],
  },
})
