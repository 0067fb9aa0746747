import { Button } from '@mantine/core'
import { useState } from 'react'
import { f } from '#kit/contract/field.ts'
import { useSend } from '#kit/web/api/index.ts'
import { Dialog, Status, notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { reviewCalls } from './review.contract.ts'
import type { Review } from './review.contract.ts'

const number = (key: string, en: string, ar: string) => {
  const label = [en, ar] as const
  return { key, label, field: f.integer(label), width: 120 }
}
/** Reviews of rights, the newest first. */
export default function Reviews() {
  const t = useT('access-and-people')
  const l = useLanguage()
  const [adding, setAdding] = useState(false)
  return (
    <>
      <ListScreen<Review & { readonly [key: string]: unknown }>
        call={reviewCalls.listReviews as never}
        title={['Reviews of rights', 'مراجعات الصلاحيات']}
        order={['created_at', 'desc']}
        main={{ key: 'begin', label: t('review_begin'), onSelect: () => setAdding(true) }}
        rowHref={(row) => to('/settings/rights/reviews/:id', { id: row.id })}
        columns={[
          { key: 'name', label: ['Name', 'الاسم'], width: 280, cell: (row) => <bdi>{nameOf(row, l)}</bdi> },
          {
            key: 'state',
            label: ['State', 'الحالة'],
            width: 120,
            cell: (row) =>
              row.closed_at ? (
                <Status is="closed" label={t('review_is_closed')} />
              ) : (
                <Status is="open" label={t('review_is_open')} />
              ),
          },
          {
            key: 'until_date',
            label: ['Until', 'حتى'],
            sort: true,
            width: 130,
            cell: (row) => formatDate(row.until_date, 'short', l),
          },
          number('open', 'Not decided', 'لم يُبت فيها'),
          number('confirmed', 'Confirmed', 'مؤكدة'),
          number('revoked', 'Taken away', 'سُحبت'),
          number('rows', 'Rights', 'الصلاحيات'),
        ]}
        empty={{
          title: t('reviews_none'),
          text: t('reviews_none_text'),
          action: <Button onClick={() => setAdding(true)}>{t('review_begin')}</Button>,
        }}
      />
      {adding && <Begin onClose={() => setAdding(false)} />}
    </>
  )
}

function Begin({ onClose }: { onClose: () => void }) {
  const t = useT('access-and-people')
  const navigate = useNavigate()
  const begin = useSend(reviewCalls.beginReview, { invalidates: ['/rights'] })
  const fields = {
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true, max: 100 }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true, max: 100 }),
    until_date: f.date(['Last day', 'آخر يوم'], { required: true }),
  }
  return (
    <Dialog opened onClose={onClose} title={t('review_begin')}>
      <p>{t('review_begin_text')}</p>
      <Form
        fields={fields}
        bar="dialog"
        always
        submit={t('review_begin')}
        onCancel={onClose}
        onSave={(values) => begin.mutateAsync({ body: values as never })}
        onSaved={(answer) => {
          const { id, rows } = answer.data
          notify.done(t('review_begun', { count: rows }))
          onClose()
          void navigate(to('/settings/rights/reviews/:id', { id }))
        }}
      />
    </Dialog>
  )
}
