import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { admissionProgram } from './admission-program.contract.ts'

export default resourceWeb(admissionProgram, {
  list: {
    rowName: (row) => row.program?.name ?? '',
    empty: {
      title: ['No programs here', 'لا توجد برامج هنا'],
      text: ['Add the programs of an admission on its page.', 'أضف برامج فترة القبول من صفحتها.'],
    },
  },
  detail: { title: (row) => row.program },
  form: { wide: true, initial: () => ({ is_open: true }) },
})
