import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { f } from '#kit/contract/field.ts'
import { useCall, useSend } from '#kit/web/api/index.ts'
import { sessionOpened, useMe } from '#kit/web/auth/index.ts'
import { Empty, Failed, Name, Status, confirm, notify } from '#kit/web/feedback/index.ts'
import { OnlyFirst } from '#kit/web/feedback/only-first.tsx'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, formatList, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { useNavigate } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { DELEGATION_STATES, MOST_DELEGATIONS, delegationCalls, type Delegation } from './delegation.contract.ts'
import css from './delegations.module.css'

/** Who stands in for the reader while he or she is away, and for whom the reader stands in. */
export default function Delegations() {
  const t = useT('access-and-people')
  const me = useMe()
  const [adding, setAdding] = useState(false)
  const { data, error, refetch } = useCall(delegationCalls.listDelegations)
  const rights = data?.meta.rights ?? []
  const given = data?.data.filter((one) => one.from.id === me.user.id) ?? []
  const received = data?.data.filter((one) => one.to.id === me.user.id) ?? []
  return (
    <Page
      title={t('delegations')}
      subtitle={t('delegations_text')}
      wide={false}
      action={rights.length > 0 && <Button onClick={() => setAdding(true)}>{t('delegate')}</Button>}
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={160} />
      ) : !data.data.length ? (
        <Empty title={t('delegations_none')} text={t('delegations_none_text')} />
      ) : (
        <>
          <Group title={t('delegations_received')} rows={received} />
          <Group title={t('delegations_given')} rows={given} />
          <OnlyFirst rows={data.data.length} most={MOST_DELEGATIONS} />
        </>
      )}
      {adding && <Delegate rights={rights} onClose={() => setAdding(false)} />}
    </Page>
  )
}

function Group({ title, rows }: { title: string; rows: readonly Delegation[] }) {
  const t = useT('access-and-people')
  const say = useLabel('permissions')
  const l = useLanguage()
  const me = useMe()
  const navigate = useNavigate()
  const act = useSend(delegationCalls.actFor, {
    onDone: () => void sessionOpened().then(() => navigate('/')),
    onError: (problem) => notify.error(problem),
  })
  const end = useSend(delegationCalls.endDelegation, { onDone: () => notify.done(t('delegation_ended')) })
  if (!rows.length) return null
  const take = (row: Delegation, other: string) =>
    confirm({
      title: t('delegation_end_title', { name: other }),
      consequence: t('delegation_end_text'),
      action: t('delegation_end'),
      danger: true,
      go: () => end.mutateAsync({ params: { id: row.id } }),
    })
  return (
    <section>
      <h2 className={css.title}>{title}</h2>
      <ul className={css.list}>
        {rows.map((row) => {
          const other = row.from.id === me.user.id ? row.to : row.from
          const state = DELEGATION_STATES.find((delegationState) => delegationState.value === row.state)!
          return (
            <li key={row.id}>
              <div className={css.head}>
                <strong>
                  <Name row={other} />
                </strong>
                <Status tone={state.tone} label={say(state.label)} />
                <span>
                  {row.abilities.includes('act') && (
                    <Button size="xs" loading={act.isPending} onClick={() => act.mutate({ params: { id: row.id } })}>
                      {t('act_for', { name: nameOf(other, l) })}
                    </Button>
                  )}{' '}
                  {row.abilities.includes('end') && (
                    <Button size="xs" variant="default" onClick={() => void take(row, nameOf(other, l))}>
                      {t('delegation_end')}
                    </Button>
                  )}
                </span>
              </div>
              <p className={css.dim}>
                {t('delegation_days', {
                  from: formatDate(row.from_date, 'long', l),
                  until: formatDate(row.until_date, 'long', l),
                })}
                {' · '}
                <bdi>{row.reason}</bdi>
              </p>
              <p className={css.dim}>
                {formatList(
                  row.permissions.map((permission) => say([permission.name, permission.name_local ?? permission.name])),
                )}
              </p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Chooses who stands in, in what, from when until when, and why. */
function Delegate({
  rights,
  onClose,
}: {
  rights: readonly { readonly id: number | string; readonly name: string; readonly name_local?: string | null }[]
  onClose: () => void
}) {
  const t = useT('access-and-people')
  const add = useSend(delegationCalls.addDelegation)
  const fields = {
    email: f.email(['E-mail of who stands in', 'بريد من ينوب عني'], { required: true }),
    permissions: f.choices(
      ['Rights', 'الصلاحيات'],
      rights.map((right) => ({
        value: String(right.id),
        label: [right.name, right.name_local ?? right.name] as const,
      })),
      { required: true },
    ),
    from_date: f.date(['First day', 'أول يوم'], { required: true }),
    until_date: f.date(['Last day', 'آخر يوم'], { required: true }),
    reason: f.longText(['Reason', 'السبب'], { required: true, max: 400 }),
  }
  return (
    <Modal opened onClose={onClose} title={t('delegate')} size="lg">
      <p className={css.dim}>{t('delegate_text')}</p>
      <Form
        fields={fields}
        bar="dialog"
        always
        submit={t('delegate')}
        onCancel={onClose}
        onSave={(values) => add.mutateAsync({ body: values as never })}
        onSaved={() => {
          notify.done(t('delegated'))
          onClose()
        }}
      />
    </Modal>
  )
}
