import { Modal } from '@mantine/core'
import { dayOf } from '#kit/contract/day.ts'
import { f } from '#kit/contract/field.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Empty, Failed, notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, nameOf, useLabel, useT } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import css from '../students.module.css'
import { STUDENT_STATUSES } from '../student/student.contract.ts'
import { StudentStatusBadge } from '../words.web.tsx'
import { statusCalls } from './status.contract.ts'
import type { StatusDecision } from './status.contract.ts'

const fieldsFor = (next: readonly string[]) => ({
  status: f.choice(
    ['New status', 'الحالة الجديدة'],
    STUDENT_STATUSES.filter((one) => next.includes(one.value)),
    { required: true },
  ),
  decision: f.longText(['Decision: its number and what it says', 'القرار: رقمه ونصه'], { required: true, max: 400 }),
  decided_on: f.date(['Day of the decision', 'تاريخ القرار'], { required: true }),
  file_id: f.file(['The decision as a file', 'ملف القرار'], { accept: ['pdf', 'png', 'jpg', 'jpeg'] }),
})

/** Earlier decisions about a student, newest first. */
function Decisions({ list }: { list: readonly StatusDecision[] }) {
  const t = useT('students')
  /** What somebody decided says so itself; what followed from results is said in the reader's language. */
  const saidOf = ({ source, term, decision }: StatusDecision): string => {
    if (source === 'term_result' && term) return t('status_by_term', { term: nameOf(term) })
    if (source === 'level_result') return t('status_by_level')
    return source === 'earlier' ? t('status_earlier') : decision
  }
  return (
    <ol className={css.decisions}>
      {list.map((one) => (
        <li key={one.id}>
          <span>
            <StudentStatusBadge value={one.to_status} />{' '}
            <time dateTime={one.decided_on}>{formatDate(one.decided_on)}</time>
          </span>
          <bdi>{saidOf(one)}</bdi>
          {one.left > 0 && <span className={css.dim}>{t('status_left', { count: one.left })}</span>}
          <span className={css.dim}>
            {one.by && <bdi>{one.by}</bdi>}
            {one.file && (
              <>
                {' '}
                <a href={one.file.url} target="_blank" rel="noreferrer">
                  <bdi>{one.file.name}</bdi>
                </a>
              </>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Changes the status of a student by a decision, and shows those before. */
export function StatusOfStudent({ student, onClose }: { student: Named & { id: number }; onClose: () => void }) {
  const t = useT('students')
  const say = useLabel()
  const { send } = useChange('/students')
  const { data, error, refetch } = useCall(statusCalls.statusOf, { params: { id: student.id } })
  const found = data?.data
  const body = () => {
    if (error && !found) return <Failed error={error} retry={() => void refetch()} />
    if (!found) return <Bone height={220} />
    return (
      <div className={css.dialog}>
        {found.next.length ? (
          <>
            <p className={css.dim} style={{ margin: 0 }}>
              {t('status_text')}
            </p>
            <Form
              fields={fieldsFor(found.next)}
              values={{ decided_on: dayOf() }}
              bar="dialog"
              always
              submit={t('status_change')}
              onCancel={onClose}
              onSave={(values) =>
                send(statusCalls.setStatus, {
                  params: { id: student.id },
                  body: {
                    status: values.status as never,
                    decision: values.decision as string,
                    decided_on: values.decided_on as string,
                    file_id: (values.file_id as number | null) ?? null,
                    version: found.version,
                  },
                })
              }
              onSaved={() => {
                notify.done(t('status_changed', { name: nameOf(student) }))
                onClose()
              }}
            />
          </>
        ) : (
          <Empty
            title={say(STUDENT_STATUSES.find((studentStatus) => studentStatus.value === found.status)!.label)}
            text={t('status_final')}
          />
        )}
        {found.decisions.length > 0 && <Decisions list={found.decisions} />}
      </div>
    )
  }
  return (
    <Modal opened onClose={onClose} title={t('status_title', { name: nameOf(student) })}>
      {body()}
    </Modal>
  )
}
