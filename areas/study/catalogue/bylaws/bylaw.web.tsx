import { IconPrinter } from '@tabler/icons-react'
import { download } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { notify, withOverlay } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { part } from '#kit/web/later.ts'
import { bylaw } from './bylaw.contract.ts'
import { bylawCalls } from './settings.contract.ts'

export default resourceWeb(bylaw, {
  form: {
    initial: () => ({ program_type: 'credit_hours', in_admission: false, start_year: new Date().getFullYear() }),
  },
  detail: {
    useActions: () => {
      const t = useT('catalogue')
      const { may } = useMe()
      return (row) =>
        may('export_bylaw')
          ? (['ar', 'en'] as const).map((lang) => ({
              key: `regulation_${lang}`,
              label: t(`regulation_${lang}`),
              icon: <IconPrinter size={16} />,
              onSelect: () =>
                void withOverlay(
                  download(bylawCalls.exportRegulation, { params: { id: row.id }, body: { lang } }),
                ).catch(notify.error),
            }))
          : []
    },
    Foot: part(async () => (await import('./save-bar.web.tsx')).default),
    panels: [
      {
        key: 'grades',
        title: ['Grades', 'التقديرات'],
        Content: part(async () => (await import('./settings.web.tsx')).BylawGrades),
      },
      {
        key: 'levels',
        title: ['Levels and loads', 'المستويات والعبء'],
        Content: part(async () => (await import('./settings.web.tsx')).Levels),
      },
      {
        key: 'rules',
        title: ['Rules', 'القواعد'],
        Content: part(async () => (await import('./rules.web.tsx')).Rules),
      },
      {
        key: 'programs',
        title: ['Programs', 'البرامج'],
        Content: part(async () => (await import('./programs.web.tsx')).BylawPrograms),
      },
      {
        key: 'requirements',
        title: ['Requirements', 'المتطلبات'],
        Content: part(async () => (await import('./programs.web.tsx')).BylawRequirements),
      },
    ],
  },
})
