import { IconFileInvoice, IconUsers } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { Row } from '#kit/contract/resource.ts'
import { may } from '#kit/web/auth/index.ts'
import { resourceWeb, type ListParts } from '#kit/web/fields/resource-web.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { to } from '#kit/web/router/index.ts'
import { sponsor } from './sponsor.contract.ts'

const Students = part(async () => (await import('./students.web.tsx')).StudentsOfSponsor)
const Invoices = part(async () => (await import('./invoices.web.tsx')).InvoicesOfSponsor)
const Account = part(async () => (await import('../account/account.web.tsx')).AccountOfSponsor)
const BillDialog = part(async () => (await import('../billing/bill-dialog.web.tsx')).default)

/** The invoices of all sponsors at once, and the list of all sponsorships. */
function useParts(): ListParts<Row<typeof sponsor>> {
  const t = useT('sponsors')
  const [billing, setBilling] = useState(false)
  return {
    menu: [
      ...(may('access_sponsorship')
        ? [
            {
              key: 'sponsorships',
              label: t('sponsorships'),
              icon: <IconUsers size={16} />,
              href: to('/sponsorships'),
            },
          ]
        : []),
      ...(may('bill_sponsor')
        ? [
            {
              key: 'bill',
              label: t('issue_invoices'),
              icon: <IconFileInvoice size={16} />,
              onSelect: () => setBilling(true),
            },
          ]
        : []),
    ],
    dialogs: billing && (
      <Suspense fallback={null}>
        <BillDialog sponsor={null} onClose={() => setBilling(false)} />
      </Suspense>
    ),
  }
}

export default resourceWeb(sponsor, {
  list: {
    useParts,
    empty: {
      title: ['No sponsors yet', 'لا توجد جهات راعية بعد'],
      text: [
        'A sponsor pays shares of the fees of many students, with one invoice.',
        'تتحمل الجهة الراعية حصصًا من رسوم طلاب كثيرين بفاتورة واحدة.',
      ],
    },
  },
  detail: {
    panels: [
      {
        key: 'students',
        title: ['Students', 'الطلاب'],
        first: true,
        permission: 'access_sponsorship',
        Content: ({ row }) => <Students id={row.id} active={row.is_active} />,
      },
      { key: 'invoices', title: ['Invoices', 'الفواتير'], Content: ({ row }) => <Invoices id={row.id} /> },
      { key: 'account', title: ['Account', 'الحساب'], Content: ({ row }) => <Account id={row.id} /> },
    ],
  },
  form: { initial: () => ({ due_days: 30, language: 'en', spread: 'oldest', is_active: true }) },
})
