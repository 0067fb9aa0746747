import { Button, Skeleton } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { ResourceCalls } from '#kit/contract/index.ts'
import { part } from '#kit/web/later.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Failed, Name, act } from '#kit/web/feedback/index.ts'
import { callsOf } from '#kit/web/fields/calls-of.ts'
import { formatInstant, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, addressOfRecord, to } from '#kit/web/router/index.ts'
import { MenuItems } from '#kit/web/list/main-button.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import css from '../desk/desk.module.css'
import { StateBadge } from '../desk/parts.web.tsx'
import Steps from '../desk/steps.web.tsx'
import { ATTEMPTS } from '#areas/common/academics/registration-words.contract.ts'
import { registrationRecordCalls, registration } from './registration.contract.ts'
import { changeCalls } from '../requests/request.contract.ts'
import { STATUS_RIGHTS, statusInput } from './status.rules.ts'
import type { StatusAnswer } from './status.rules.ts'

const calls = callsOf(registration) as unknown as ResourceCalls<typeof registration>
const F = registration.fields
const StatusDialog = part(async () => (await import('./status.web.tsx')).default)

/** One registration: what it is, and every step with who took it. */
export default function RegistrationDetail({ id }: { id: number }) {
  const t = useT('registration')
  const say = useLabel()
  const lang = useLanguage()
  const me = useMe()
  const { send } = useChange('/registrations')
  const [setting, setSetting] = useState(false)
  const { data, error, refetch } = useCall(calls.get, { params: { id } })
  const setStatus = async (answer: StatusAnswer | null) => {
    setSetting(false)
    if (!answer) return
    await act({
      go: () => send(changeCalls.updateStatus, statusInput(id, answer)),
      done: () => t('done_status', { course: data?.data.course_code ?? '' }),
    })
  }
  const row = data?.data
  if (error) {
    return (
      <Page title={say(registration.one)}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  const attempt = ATTEMPTS.find((one) => one.value === row?.attempt)
  const student = row && addressOfRecord('student', 'show', row.student_id ?? 0)
  return (
    <Page
      wide={false}
      title={row ? `${row.course_code ?? ''} · ${nameOf(row.student, lang)}` : null}
      subtitle={row?.state ? <StateBadge state={row.state} /> : '\u00A0'}
      menu={
        row && me.can(...STATUS_RIGHTS) ? (
          <MenuItems actions={[{ key: 'status', label: t('set_status'), onSelect: () => setSetting(true) }]} />
        ) : undefined
      }
      action={
        row?.student_id ? (
          <Button component={Link} to={to('/advising/registration/:id', { id: row.student_id }, { term: row.term_id })}>
            {t('open_registration')}
          </Button>
        ) : undefined
      }
    >
      {row ? (
        <dl className={css.facts}>
          <Fact label={say(F.student_id.label)}>
            {student ? (
              <Link to={student}>
                <Name row={row.student} />
              </Link>
            ) : (
              <Name row={row.student} />
            )}{' '}
            <Code className={css.dim}>{row.student_code}</Code>
          </Fact>
          <Fact label={say(F.course_id.label)}>
            <Name row={row.course} /> <Code className={css.dim}>{row.course_code}</Code>
          </Fact>
          <Fact label={say(F.term_id.label)}>
            <Name row={row.term} />
          </Fact>
          <Fact label={say(F.group_number.label)}>
            <Code>{row.group_number ?? '–'}</Code>
          </Fact>
          <Fact label={say(F.credit_hours.label)}>
            <Code>{formatNumber(row.credit_hours ?? 0)}</Code>
          </Fact>
          <Fact label={say(F.attempt.label)}>
            {attempt ? say(attempt.label) : '–'}
            {row.audit && ` · ${say(F.audit.label)}`}
          </Fact>
          <Fact label={say(F.program_id.label)}>
            <Name row={row.program} />
          </Fact>
          <Fact label={say(F.advisor_id.label)}>
            <Name row={row.advisor} />
          </Fact>
          <Fact label={say(F.letter.label)}>
            <Code>
              {[
                row.maximum === null
                  ? formatNumber(row.total)
                  : `${formatNumber(row.total)} / ${formatNumber(row.maximum)}`,
                row.rating ? nameOf({ name: row.rating, name_local: row.rating_local }, lang) : row.letter,
              ]
                .filter(Boolean)
                .join(' · ') || '–'}
            </Code>
          </Fact>
          <Fact label={say(F.created_at.label)}>
            <Code>{formatInstant(row.created_at)}</Code>
          </Fact>
        </dl>
      ) : (
        <Skeleton height={180} />
      )}
      {setting && (
        <Suspense fallback={null}>
          <StatusDialog
            title={t('set_status_of', { course: row?.course_code ?? '' })}
            of={row?.state ? { state: row.state, audit: row.audit, by_decision: row.by_decision } : null}
            onAnswer={(answer) => void setStatus(answer)}
          />
        </Suspense>
      )}
      <section className={css.panel} aria-labelledby="registration-steps">
        <header className={css.panelHead}>
          <h2 id="registration-steps">{t('history')}</h2>
        </header>
        <Steps call={registrationRecordCalls.steps} id={id} own={false} />
      </section>
    </Page>
  )
}

const Fact = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
