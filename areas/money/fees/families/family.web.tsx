import { IconUserOff } from '@tabler/icons-react'
import type { Row } from '#kit/contract/resource.ts'
import { useChange } from '#kit/web/api/index.ts'
import { act } from '#kit/web/feedback/index.ts'
import { resourceWeb, type ActionsOf } from '#kit/web/fields/resource-web.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { askReason } from '#kit/web/workflow/index.ts'
import { family, familyCalls } from './family.contract.ts'

type Family = Row<typeof family>

/** What stands is ended, with the reason. */
function useEnding(): ActionsOf<Family> {
  const t = useT('fees')
  const { send } = useChange('/families', '/scholarship', '/students')
  return (row) =>
    row.abilities.includes('end')
      ? [
          {
            key: 'end',
            label: t('end_family'),
            icon: <IconUserOff size={16} aria-hidden />,
            tone: 'refused',
            onSelect: () => {
              void (async () => {
                const reason = await askReason({
                  title: t('end_family'),
                  text: t('end_family_text', { name: row.name ?? '' }),
                  action: t('end_family'),
                  danger: true,
                })
                if (reason === null) return
                await act({
                  go: () => send(familyCalls.end, { params: { id: row.id }, body: { reason, version: row.version } }),
                  done: () => t('family_is_over'),
                })
              })()
            },
          },
        ]
      : []
}

export default resourceWeb(family, {
  list: {
    useParts: () => ({ actions: useEnding() }),
    empty: {
      title: ['No families', 'لا توجد أسر'],
      text: [
        'Siblings are known by the national ids of their parents. Where those do not tell it, make a family with its proof.',
        'يُعرف الإخوة بالأرقام القومية للوالدين. وإن لم تكفِ فأضف أسرة ومعها المستند المثبت.',
      ],
    },
  },
  detail: { useActions: useEnding },
})
