import { Alert, Button, Loader, Radio, Textarea, TextInput } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { PublicPage } from '#kit/web/app/pages/public.tsx'
import { fetchFile } from '#kit/web/api/client.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Problems } from '#kit/web/feedback/index.ts'
import { Asked, PlainForm } from '#kit/web/form/plain-form.tsx'
import { formatDate, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useSearchParams } from '#kit/web/router/index.ts'
import { organisationLinkCalls as calls, type OrganisationSees } from './link.contract.ts'
import css from '../trainings.module.css'

/** What an organisation sees by the link of a mail: who waits for a place, whom it would take, and how those did who were there. */
export default function OrganisationAnswers() {
  const t = useT('trainings')
  const l = useLanguage()
  const token = useSearchParams()[0].get('token') ?? ''
  const { problem, go, send } = useChange()
  const [of, setOf] = useState<OrganisationSees | null>(null)
  const [who, setWho] = useState('')
  const begun = useRef(false)
  const open = useCallback(
    () => go(async () => setOf((await send(calls.openAsOrganisation, { body: { token } })).data)),
    [go, send, token],
  )
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void open()
  })
  if (!of)
    return (
      <PublicPage as="message" title={t('your_students')}>
        {problem === null ? <Loader aria-label={t('your_students')} /> : <Problems error={problem} />}
      </PublicPage>
    )
  const days = (one: { starts_on: string; ends_on: string }) =>
    t('from_until', { from: formatDate(one.starts_on), until: formatDate(one.ends_on) })
  const shared = { token, who, onSaid: () => void open() }
  return (
    <PublicPage as="pages" title={t('your_students')}>
      <div className={css.sheet}>
        <h1>{t('your_students')}</h1>
        <p className={css.text}>
          {t('your_students_text', {
            university: nameOf(of.university, l),
            organisation: nameOf(of.organisation, l),
            until: formatDate(of.until),
          })}
        </p>
        <p className={css.text}>
          <strong>{nameOf(of.training, l)}</strong> · {days(of)} ·{' '}
          {t('places_taken', { taken: formatNumber(of.taken), places: formatNumber(of.places) })}
        </p>
        <TextInput
          label={t('your_name')}
          description={t('your_name_text')}
          value={who}
          maxLength={200}
          autoComplete="name"
          onChange={({ currentTarget }) => setWho(currentTarget.value)}
        />
        <h2 className={css.heading}>{t('who_waits')}</h2>
        {of.waiting.length === 0 && <p className={css.text}>{t('nobody_waits')}</p>}
        {of.waiting.map((one) => (
          <OfStudent key={one.id} student={one.student} days={days(one)}>
            <Answer of={one} {...shared} />
          </OfStudent>
        ))}
        <h2 className={css.heading}>{t('who_is_there')}</h2>
        {of.placed.length === 0 && <p className={css.text}>{t('nobody_is_there')}</p>}
        {of.placed.map((one) => (
          <OfStudent key={one.id} student={one.student} days={days(one)}>
            {one.begun ? <Assess of={one} {...shared} /> : <small>{t('assessed_later')}</small>}
          </OfStudent>
        ))}
      </div>
    </PublicPage>
  )
}

/** A student of whom the organisation says something. */
function OfStudent({
  student,
  days,
  children,
}: {
  readonly student: OrganisationSees['waiting'][number]['student']
  readonly days: string
  readonly children: ReactNode
}) {
  const name = nameOf(student, useLanguage())
  return (
    <section className={css.person} aria-label={name}>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <small>{days}</small>
      {children}
    </section>
  )
}

/** What stands beneath a form of an organisation: what was against it, the button, and that it was said. */
function Sends({
  action,
  busy,
  problem,
  said,
}: {
  readonly action: string
  readonly busy: boolean
  readonly problem: ReturnType<typeof useChange>['problem']
  readonly said: boolean
}) {
  const t = useT('trainings')
  return (
    <>
      {problem !== null && (
        <Alert color="red">
          <Problems error={problem} />
        </Alert>
      )}
      <span className={css.buttons}>
        <Button type="submit" loading={busy}>
          {action}
        </Button>
        {said && <small role="status">{t('answered')}</small>}
      </span>
    </>
  )
}

interface Shared {
  readonly token: string
  /** Who answers. */
  readonly who: string
  readonly onSaid: () => void
}

function Answer({ of, token, who, onSaid }: Shared & { of: OrganisationSees['waiting'][number] }) {
  const t = useT('trainings')
  const { busy, problem, go, send } = useChange()
  const [says, setSays] = useState<string | null>(of.answer ? (of.answer.says ? 'yes' : 'no') : null)
  const [reason, setReason] = useState(of.answer?.reason ?? '')
  const [lacks, setLacks] = useState<string | null>(null)
  const answer = async () => {
    const lack = says === null ? t('choose_answer') : who.trim().length < 3 ? t('say_your_name') : null
    setLacks(lack)
    if (lack !== null) return
    const sent = await go(async () => {
      await send(calls.answerAsOrganisation, {
        body: { token, id: of.id, says: says === 'yes', reason: reason.trim() || null, said_by: who.trim() },
      })
      return true
    })
    if (sent) onSaid()
  }
  const look = () =>
    go(async () => {
      const { content } = await fetchFile(calls.cvAsOrganisation, { body: { token, id: of.id } })
      window.open(URL.createObjectURL(content))
    })
  return (
    <PlainForm busy={busy} send={() => void answer()}>
      {of.has_cv && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconEye size={14} aria-hidden />}
          onClick={() => void look()}
        >
          {t('cv')}
        </Button>
      )}
      <Radio.Group label={t('would_take')} value={says} onChange={setSays} error={lacks}>
        <Radio value="yes" label={t('says_yes')} mt={8} />
        <Radio value="no" label={t('says_no')} mt={8} />
      </Radio.Group>
      <Textarea
        label={t('why_not')}
        value={reason}
        maxLength={500}
        dir="auto"
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <Sends action={t('answer')} busy={busy} problem={problem} said={of.answer !== null} />
    </PlainForm>
  )
}

function Assess({ of, token, who, onSaid }: Shared & { of: OrganisationSees['placed'][number] }) {
  const t = useT('trainings')
  const { busy, problem, go, send } = useChange()
  const [text, setText] = useState(of.assessment?.text ?? '')
  const [lacks, setLacks] = useState<string | null>(null)
  const assess = async ({ score, visited_on }: Readonly<Record<string, string>>) => {
    const lack = text.trim().length < 3 ? t('say_how') : who.trim().length < 3 ? t('say_your_name') : null
    setLacks(lack)
    if (lack !== null) return
    const sent = await go(async () => {
      await send(calls.assessAsOrganisation, {
        body: {
          token,
          id: of.id,
          score: Number(score),
          text: text.trim(),
          visited_on: visited_on || null,
          said_by: who.trim(),
        },
      })
      return true
    })
    if (sent) onSaid()
  }
  return (
    <PlainForm busy={busy} send={(typed) => void assess(typed)}>
      <Asked
        name="score"
        label={t('score_label')}
        inputMode="numeric"
        defaultValue={of.assessment ? String(of.assessment.score) : ''}
        rule={(typed) => (/^(?:100|\d{1,2})$/.test(typed.trim()) ? null : t('score_rule'))}
      />
      <Asked
        name="visited_on"
        type="date"
        optional
        label={t('visited_by_us')}
        defaultValue={of.assessment?.visited_on ?? ''}
      />
      <Textarea
        label={t('how_was_it')}
        value={text}
        error={lacks}
        maxLength={4000}
        autosize
        minRows={2}
        dir="auto"
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Sends action={t('assess')} busy={busy} problem={problem} said={of.assessment !== null} />
    </PlainForm>
  )
}
