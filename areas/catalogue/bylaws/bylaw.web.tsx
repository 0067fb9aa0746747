import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { part } from '#kit/web/later.ts'
import { bylaw } from './bylaw.contract.ts'

export default resourceWeb(bylaw, {
  form: {
    initial: () => ({ program_type: 'credit_hours', in_admission: false, start_year: new Date().getFullYear() }),
  },
  detail: {
    panels: [
      {
        key: 'grades',
        title: ['Grades', 'التقديرات'],
        Content: part(async () => (await import('./settings.web.tsx')).Grades),
      },
      {
        key: 'levels',
        title: ['Levels and loads', 'المستويات والعبء'],
        Content: part(async () => (await import('./settings.web.tsx')).Levels),
      },
      {
        key: 'rules',
        title: ['Rules', 'القواعد'],
        Content: part(async () => (await import('./settings.web.tsx')).Rules),
      },
      {
        key: 'programs',
        title: ['Programs and requirements', 'البرامج والمتطلبات'],
        Content: part(async () => (await import('./programs.web.tsx')).Programs),
      },
    ],
  },
})
