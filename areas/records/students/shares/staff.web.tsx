import { Modal, Skeleton } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { f } from '#kit/contract/field.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, Status, notify } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, formatList, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import { SHARE_PARTS, SHARE_STATES, shareCalls } from './share.contract.ts'
import css from './shares.module.css'

const REASON = { reason: f.longText(['Reason', 'السبب'], { required: true, max: 400 }) }

/** Whom a student lets see parts of the study, for staff, who may end all of it with a reason. */
export function SharesOf({ student, onClose }: { student: Named & { id: number }; onClose: () => void }) {
  const t = useT('students')
  const say = useLabel()
  const l = useLanguage()
  const { send } = useChange('/students')
  const params = { id: student.id }
  const { most, more } = useMost(20)
  const { data, error, refetch } = useCall(
    shareCalls.sharesOf,
    { params, query: { most } },
    { placeholderData: keepPreviousData },
  )
  const open = data?.data.filter((one) => one.state === 'open') ?? []
  return (
    <Modal opened onClose={onClose} title={t('shares_of', { name: nameOf(student, l) })} size="lg">
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={120} />
      ) : !data.data.length ? (
        <Empty title={t('shares_none')} />
      ) : (
        <>
          <ul className={css.courses}>
            {data.data.map((one) => {
              const state = SHARE_STATES.find(({ value }) => value === one.state)!
              return (
                <li key={one.id}>
                  <div className={css.head}>
                    <bdi>{one.name}</bdi>
                    <Code className={css.dim}>{one.email}</Code>
                    <span className={css.end}>
                      <Status tone={state.tone} label={say(state.label)} />
                    </span>
                  </div>
                  <p className={css.dim}>
                    {formatList(
                      SHARE_PARTS.filter(({ value }) => one.parts.includes(value)).map((part) => say(part.label)),
                      l,
                    )}
                    {' · '}
                    {t('share_until', { day: formatDate(one.last_day, 'long', l) })}
                  </p>
                </li>
              )
            })}
          </ul>
          <MoreRows shown={data.data.length} total={data.total} onMore={more} />
        </>
      )}
      {open.length > 0 && (
        <Form
          fields={REASON}
          bar="dialog"
          always
          submit={t('shares_end_all')}
          onCancel={onClose}
          onSave={async (values) => send(shareCalls.endSharesOf, { params, body: { reason: values.reason as string } })}
          onSaved={() => {
            notify.done(t('share_ended'))
            onClose()
          }}
        />
      )}
    </Modal>
  )
}
