import { Button, Modal, SegmentedControl } from '@mantine/core'
import { IconUserCheck, IconUserOff, IconUsersGroup } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Label, ResponseOf } from '#kit/contract/index.ts'
import { refresh, useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Empty, Name, Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { TypedToConfirm, isTyped, labelToConfirm, wantedFor } from '#kit/web/feedback/weight.tsx'
import { formatNumber, problemText, useT } from '#kit/web/i18n/index.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'
import { Table } from '#kit/web/table/table.tsx'
import css from '../desk/desk.module.css'
import { advisingCalls } from './advising.contract.ts'
import { ADVISEE_VIEWS, WITHOUT_VIEW, adviseeColumns, adviseeFilters, type Advisee } from './lists.web.tsx'

type Answer = ResponseOf<typeof advisingCalls.assign>
type Share = ResponseOf<typeof advisingCalls.byFaculty>['data'][number]

/** Students by code, and who advises them. */
export default function AdvisedStudents() {
  return <AdviseeList title={['Advised students', 'طلاب الإرشاد']} order={['code', 'asc']} name="advised-students" />
}

/** Students and who advises them: given to an advisor, shared among all, or taken away. */
export function AdviseeList({
  title,
  order,
  name,
}: {
  title: Label
  order: readonly [string, 'asc' | 'desc']
  name: string
}) {
  const t = useT('registration')
  const me = useMe()
  const client = useQueryClient()
  const { send } = useChange()
  const edit = me.can('edit_advising')
  const [assigning, setAssigning] = useState<{
    ids: number[]
    answer: (done: { done: number[]; failed: Answer['failed'] }) => void
  } | null>(null)
  const [sharing, setSharing] = useState(false)
  return (
    <>
      <ListScreen<Advisee>
        call={advisingCalls.students}
        title={title}
        columns={adviseeColumns(true)}
        filters={adviseeFilters}
        order={order}
        views={[WITHOUT_VIEW, ...ADVISEE_VIEWS]}
        perPage={50}
        name={name}
        rowHref={(row) => to('/advising/registration/:id', { id: row.id })}
        main={
          edit
            ? {
                key: 'share',
                label: t('share'),
                icon: <IconUsersGroup size={16} aria-hidden />,
                onSelect: () => setSharing(true),
              }
            : null
        }
        bulk={
          edit
            ? [
                {
                  key: 'assign',
                  label: t('assign'),
                  icon: <IconUserCheck size={14} />,
                  asks: true,
                  run: (ids) => new Promise((answer) => setAssigning({ ids: [...ids], answer })),
                },
                {
                  key: 'unassign',
                  label: t('unassign'),
                  icon: <IconUserOff size={14} />,
                  tone: 'refused',
                  confirm: (count) => ({
                    title: t('unassign_title', { count }),
                    consequence: t('unassign_text'),
                    action: t('unassign'),
                  }),
                  run: (ids) => send(advisingCalls.unassign, { body: { student_ids: [...ids] } }),
                },
              ]
            : undefined
        }
        empty={{ title: t('no_students'), text: t('no_students_text') }}
      />
      {assigning && (
        <AssignDialog
          ids={assigning.ids}
          onAnswer={(answer) => {
            assigning.answer(answer)
            setAssigning(null)
            void refresh(client, '/advisors')
          }}
        />
      )}
      {sharing && <ShareDialog onClose={() => setSharing(false)} onDone={() => void refresh(client, '/advisors')} />}
    </>
  )
}

/** Chooses the advisor of some students, or shares them among all with free places. */
function AssignDialog({
  ids,
  onAnswer,
}: {
  ids: number[]
  onAnswer: (answer: { done: number[]; failed: Answer['failed'] }) => void
}) {
  const t = useT('registration')
  const tk = useT('kit')
  const { data } = useCall(advisingCalls.available, { body: { student_ids: ids } })
  const [way, setWay] = useState<'one' | 'all'>('one')
  const [advisor, setAdvisor] = useState<number | null>(null)
  const { busy, problem: error, go, send } = useChange()
  const assign = async () => {
    const body = { advisor_id: way === 'one' ? advisor : null, student_ids: ids }
    const done = await go(() => send(advisingCalls.assign, { body }))
    if (done) onAnswer(done.answer)
  }
  return (
    <Modal
      opened
      onClose={() => onAnswer({ done: [], failed: [] })}
      size="lg"
      title={t('assign_title', { count: ids.length })}
    >
      <SegmentedControl
        size="xs"
        value={way}
        onChange={(value) => setWay(value)}
        data={[
          { value: 'one', label: t('assign_single') },
          { value: 'all', label: t('to_all') },
        ]}
      />
      {error !== null && <Problems error={error} />}
      {way === 'all' ? (
        <p className={css.dialogText}>{t('to_all_text')}</p>
      ) : data && !data.data.length ? (
        <Empty title={t('no_places')} text={t('no_places_text')} />
      ) : (
        <ul className={css.options}>
          {data?.data.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                className={css.option}
                aria-pressed={advisor === one.id}
                onClick={() => setAdvisor(one.id)}
              >
                <Name row={one} second />
                <small className={css.dim}>
                  <Name row={one.faculty} />
                </small>
                <Code>{t('places_free', { free: one.free, maximum: one.max_advised })}</Code>
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className={css.dialogActions}>
        <Button variant="default" onClick={() => onAnswer({ done: [], failed: [] })}>
          {tk('cancel')}
        </Button>
        <Submit
          loading={busy}
          missing={[way === 'one' && advisor === null && t('choose_advisor')]}
          onClick={() => void assign()}
        >
          {t('assign')}
        </Submit>
      </div>
    </Modal>
  )
}

/** Shares all students without advisor among the advisors of their faculties. */
function ShareDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const t = useT('registration')
  const tk = useT('kit')
  const { data } = useCall(advisingCalls.byFaculty)
  const [result, setResult] = useState<Answer | null>(null)
  const { busy, problem: error, go, send } = useChange()
  const without = data?.data.reduce((sum, one) => sum + one.without, 0) ?? 0
  const weight = { heavy: true, whom: { count: without, names: [] } }
  const [typed, setTyped] = useState('')
  const share = async () => {
    const done = await go(() => send(advisingCalls.assign, { body: { student_ids: [] } }))
    if (!done) return
    setResult(done.answer)
    onDone()
  }
  return (
    <Modal opened onClose={onClose} size="lg" title={t('share')}>
      {error !== null && <Problems error={error} />}
      {result ? (
        <>
          <p className={css.dialogText}>{t('shared', { count: result.done.length, failed: result.failed.length })}</p>
          {result.failed[0]?.errors[0] && <p className={css.dialogText}>{problemText(result.failed[0].errors[0])}</p>}
          <ul className={css.plainList}>
            {result.assigned.map((one) => (
              <li key={one.advisor.id}>
                <Name row={one.advisor} /> · {t('students_given', { count: one.count })}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <>
          <p className={css.dialogText}>{t('share_text')}</p>
          <Table
            label={t('share')}
            className={css.share}
            rows={data?.data ?? []}
            rowKey={(one) => one.faculty.id}
            columns={[
              { key: 'faculty', label: t('faculty'), cell: (one) => <Name row={one.faculty} /> },
              ...(['advisors', 'places', 'advised', 'without'] as const).map((figure) => ({
                key: figure,
                label: t(figure),
                figure: true,
                cell: (one: Share) => <Code>{formatNumber(one[figure])}</Code>,
              })),
            ]}
          />
          <TypedToConfirm of={weight} value={typed} onChange={setTyped} />
        </>
      )}
      <div className={css.dialogActions}>
        <Button variant="default" onClick={onClose}>
          {tk(result ? 'close' : 'cancel')}
        </Button>
        {!result && (
          <Submit
            loading={busy}
            missing={[!without && t('share_none'), !isTyped(wantedFor(weight), typed) && labelToConfirm(tk, weight)]}
            onClick={() => void share()}
          >
            {t('share_count', { count: without })}
          </Submit>
        )}
      </div>
    </Modal>
  )
}
