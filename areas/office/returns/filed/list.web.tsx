import { IconTemplate } from '@tabler/icons-react'
import type { Row } from '#kit/contract/resource.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { statisticalReturn } from './return.contract.ts'

type Named = { name: string; name_local: string }
type ReturnRow = Row<typeof statisticalReturn> & { template: Named; year: Named }

/** All returns, and the way to their templates. */
export default resourceWeb(statisticalReturn, {
  list: {
    rowHref: (row) => to('/statistical-returns/:id', { id: row.id }),
    rowName: (row) => `${nameOf((row as ReturnRow).template)} · ${nameOf((row as ReturnRow).year)}`,
    useParts: () => {
      const t = useT('returns')
      const { may } = useMe()
      const go = useNavigate()
      return {
        menu: may('access_returnTemplate')
          ? [
              {
                key: 'templates',
                label: t('templates'),
                icon: <IconTemplate size={16} aria-hidden />,
                onSelect: () => void go('/return-templates'),
              },
            ]
          : [],
      }
    },
    empty: {
      title: ['No returns yet', 'لا توجد إحصاءات بعد'],
      text: [
        'Upload the sheet of a ministry as a template, then begin a return for a year.',
        'ارفع ملف الوزارة كنموذج ثم ابدأ إحصاءً لعام دراسي.',
      ],
    },
  },
})
