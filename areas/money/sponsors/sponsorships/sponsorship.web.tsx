import { IconPlayerPlay } from '@tabler/icons-react'
import type { Row } from '#kit/contract/resource.ts'
import { useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { resourceWeb, type ListParts } from '#kit/web/fields/resource-web.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { sponsorship, sponsorshipCalls as calls } from './sponsorship.contract.ts'

type Sponsored = Row<typeof sponsorship>

/** What is offered begins: one, or many at once. */
function useParts(): ListParts<Sponsored> {
  const t = useT('sponsors')
  const { send } = useChange('/sponsors', '/sponsorships', '/payments', '/students')
  if (!may('begin_sponsorship')) return {}
  return {
    bulk: [
      {
        key: 'begin',
        label: t('begin'),
        icon: <IconPlayerPlay size={14} />,
        applies: (row) => row.status === 'offered',
        run: async (ids) => {
          await send(calls.begin, { body: { ids: [...ids] } })
          return { done: [...ids], failed: [] }
        },
      },
    ],
  }
}

export default resourceWeb(sponsorship, {
  list: {
    useParts,
    empty: {
      title: ['No sponsorships here', 'لا توجد رعاية هنا'],
      text: [
        'Add students on the page of a sponsor, or bring many with a sheet.',
        'أضف الطلاب من صفحة الجهة الراعية أو استورد مجموعة منهم من ملف.',
      ],
    },
    rowName: (row) => row.student?.name ?? '',
  },
  detail: { title: (row) => row.student },
})
