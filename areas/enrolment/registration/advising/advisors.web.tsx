import { Button, Modal } from '@mantine/core'
import { IconPencil, IconPlus, IconUserMinus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { ApiError, refresh, useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Name, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { TypedToConfirm, isTyped, labelToConfirm, wantedFor } from '#kit/web/feedback/weight.tsx'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form } from '#kit/web/form/form.tsx'
import { formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'
import css from '../desk/desk.module.css'
import { advisingCalls, type AdvisorRow } from './advising.contract.ts'

type Advisor = AdvisorRow & AnyRow

/** Nothing is stored through it here: the call takes ids. */
const INSTRUCTORS = f.lookups(['Instructors', 'أعضاء هيئة التدريس'], 'instructor', {
  required: true,
  through: { table: '', from: '', to: '' },
})

const COLUMNS: readonly Column<Advisor>[] = [
  {
    key: 'name',
    label: ['Advisor', 'المرشد'],
    sort: true,
    width: 260,
    cell: (row) => (
      <span className={css.cellName}>
        <Name row={row} />
        <small>
          <Code>{row.code}</Code>
        </small>
      </span>
    ),
  },
  { key: 'faculty', label: ['Faculty', 'الكلية'], width: 190, cell: (row) => <Name row={row.faculty} /> },
  { key: 'department', label: ['Department', 'القسم'], width: 190, cell: (row) => <Name row={row.department} /> },
  {
    key: 'advised',
    label: ['Students', 'الطلاب'],
    sort: true,
    width: 190,
    cell: (row) => (
      <span className={css.share}>
        <span className={css.loadBar} aria-hidden="true">
          <span
            className={css.loadTaken}
            style={{ inlineSize: `${Math.min(100, (row.advised / Math.max(row.max_advised, 1)) * 100)}%` }}
          />
        </span>
        <Code>
          {formatNumber(row.advised)} / {formatNumber(row.max_advised)}
        </Code>
      </span>
    ),
  },
  {
    key: 'free',
    label: ['Free places', 'أماكن متاحة'],
    sort: true,
    width: 120,
    align: 'end',
    cell: (row) => <Code>{formatNumber(row.free)}</Code>,
  },
  {
    key: 'waiting',
    label: ['Students waiting', 'طلاب منتظرون'],
    width: 140,
    align: 'end',
    cell: (row) =>
      row.waiting ? <Code className={css.warn}>{formatNumber(row.waiting)}</Code> : <span className={css.dim}>–</span>,
  },
]

/** Who advises, how many, and how many more could be. */
export default function AcademicAdvisors() {
  const t = useT('registration')
  const me = useMe()
  const client = useQueryClient()
  const [dialog, setDialog] = useState<{ kind: 'add' } | { kind: 'edit' | 'remove'; row: Advisor } | null>(null)
  const done = () => {
    setDialog(null)
    void refresh(client, '/advisors')
  }
  return (
    <>
      <ListScreen<Advisor>
        call={advisingCalls.advisors}
        title={['Academic advisors', 'المرشدون الأكاديميون']}
        columns={COLUMNS}
        filters={{
          faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
          department_id: f.lookup(['Department', 'القسم'], 'department'),
          with_places: f.flag(['With free places', 'لديهم أماكن متاحة']),
        }}
        order={['name', 'asc']}
        perPage={50}
        name="academic-advisors"
        rowHref={(row) =>
          `${to('/advised_students')}?filters=${encodeURIComponent(JSON.stringify({ advisor_id: [row.id] }))}`
        }
        actions={(row) =>
          row.abilities.includes('edit')
            ? [
                {
                  key: 'edit',
                  label: t('set_maximum'),
                  icon: <IconPencil size={15} />,
                  onSelect: () => setDialog({ kind: 'edit', row }),
                },
                {
                  key: 'remove',
                  label: t('end_advising'),
                  icon: <IconUserMinus size={15} />,
                  tone: 'refused' as const,
                  onSelect: () => setDialog({ kind: 'remove', row }),
                },
              ]
            : []
        }
        main={
          me.can('edit_advising')
            ? {
                key: 'add',
                label: t('add_advisors'),
                icon: <IconPlus size={16} aria-hidden />,
                onSelect: () => setDialog({ kind: 'add' }),
              }
            : null
        }
        exports={{ xlsx: advisingCalls.export }}
        empty={{ title: t('no_advisors'), text: t('no_advisors_text') }}
      />
      {dialog?.kind === 'add' && <MaximumDialog row={null} onClose={() => setDialog(null)} onDone={done} />}
      {dialog?.kind === 'edit' && <MaximumDialog row={dialog.row} onClose={() => setDialog(null)} onDone={done} />}
      {dialog?.kind === 'remove' && <EndDialog row={dialog.row} onClose={() => setDialog(null)} onDone={done} />}
    </>
  )
}

/** How many students somebody advises; for new advisors also who. */
function MaximumDialog({ row, onClose, onDone }: { row: Advisor | null; onClose: () => void; onDone: () => void }) {
  const t = useT('registration')
  const { send } = useChange('/advisors')
  const maximum = f.integer(asLabel(t('maximum_students')), { required: true, min: 1, max: 10_000 })
  return (
    <Modal opened onClose={onClose} title={t(row ? 'set_maximum' : 'add_advisors')}>
      <Form
        fields={row ? { maximum } : { instructors: { ...INSTRUCTORS, label: asLabel(t('instructors')) }, maximum }}
        values={{ maximum: row?.max_advised ?? 25 }}
        bar="dialog"
        always
        submit={t(row ? 'set_maximum' : 'add_advisors')}
        onCancel={onClose}
        onSave={async (values) => {
          const instructor_ids = row ? [row.id] : (values.instructors as number[])
          const body = { instructor_ids, max_advised: Number(values.maximum) }
          const { failed } = await send(advisingCalls.add, { body })
          // Those who could be added are; of the others each reason is told.
          if (failed.length) throw new ApiError(422, { errors: failed.flatMap((one) => one.errors) })
        }}
        onSaved={onDone}
      >
        {!row && <Field name="instructors" autoFocus />}
        <Field name="maximum" autoFocus={row !== null} />
      </Form>
    </Modal>
  )
}

/** Ends somebody's advising: the students go to another advisor, or wait for one. */
function EndDialog({ row, onClose, onDone }: { row: Advisor; onClose: () => void; onDone: () => void }) {
  const t = useT('registration')
  const tk = useT('kit')
  const lang = useLanguage()
  const [next, setNext] = useState<number | null>(null)
  const [typed, setTyped] = useState('')
  const weight = { heavy: true, whom: { count: row.advised, names: [] } }
  const { busy, problem: error, go, send } = useChange()
  const { data } = useCall(advisingCalls.available, { body: { faculty_id: row.faculty.id } })
  const end = async () => {
    const done = await go(() => send(advisingCalls.remove, { params: { id: row.id }, body: { to_advisor_id: next } }))
    if (!done) return
    notify.done(t('ended', { name: nameOf(row, lang), count: done.answer.students }))
    onDone()
  }
  const others = (data?.data ?? []).filter((one) => one.id !== row.id && one.free >= row.advised)
  return (
    <Modal opened onClose={onClose} title={t('end_title', { name: nameOf(row, lang) })}>
      <p className={css.dialogText}>{t('end_text', { count: row.advised })}</p>
      {error !== null && <Problems error={error} />}
      {row.advised > 0 && (
        <ul className={css.options}>
          <li>
            <button type="button" className={css.option} aria-pressed={next === null} onClick={() => setNext(null)}>
              {t('to_nobody')}
            </button>
          </li>
          {others.map((other) => (
            <li key={other.id}>
              <button
                type="button"
                className={css.option}
                aria-pressed={next === other.id}
                onClick={() => setNext(other.id)}
              >
                <Name row={other} second />
                <Code>{t('places_free', { free: other.free, maximum: other.max_advised })}</Code>
              </button>
            </li>
          ))}
        </ul>
      )}
      <TypedToConfirm of={weight} value={typed} onChange={setTyped} />
      <div className={css.dialogActions}>
        <Button variant="default" onClick={onClose}>
          {tk('cancel')}
        </Button>
        <Submit
          color="red"
          loading={busy}
          missing={[!isTyped(wantedFor(weight), typed) && labelToConfirm(tk, weight)]}
          onClick={() => void end()}
        >
          {t('end_advising')}
        </Submit>
      </div>
    </Modal>
  )
}
