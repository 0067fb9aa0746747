import { Alert, Button, Loader, Radio, Textarea } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { PublicPage } from '#kit/web/app/pages/public.tsx'
import { fetchFile } from '#kit/web/api/client.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Problems } from '#kit/web/feedback/index.ts'
import { Asked, PlainForm } from '#kit/web/form/plain-form.tsx'
import { formatDate, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useSearchParams } from '#kit/web/router/index.ts'
import { ELSEWHERE_KINDS, EXTERNAL_RESULTS, elsewhereCalls, type IssuerQuestion } from './external.contract.ts'
import css from '../certificates.module.css'

/** What an issuer answers who was asked by mail: whether a paper is genuine. The link works until it is answered. */
export default function AnswerExternal() {
  const t = useT('certificates')
  const token = useSearchParams()[0].get('token') ?? ''
  const { problem, go, send } = useChange()
  const [of, setOf] = useState<IssuerQuestion | null>(null)
  const [done, setDone] = useState(false)
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void go(async () => setOf((await send(elsewhereCalls.openQuestion, { body: { token } })).data))
  })
  if (done)
    return (
      <PublicPage as="message" title={t('external_thanks')}>
        <p>{t('external_thanks_text')}</p>
      </PublicPage>
    )
  if (of) return <Question of={of} token={token} onDone={() => setDone(true)} />
  return (
    <PublicPage as="message" title={t('external_question')}>
      {problem === null ? <Loader aria-label={t('external_question')} /> : <Problems error={problem} />}
    </PublicPage>
  )
}

function Question({ of, token, onDone }: { of: IssuerQuestion; token: string; onDone: () => void }) {
  const t = useT('certificates')
  const l = useLanguage()
  const say = useLabel()
  const { busy, problem, go, send } = useChange()
  const [result, setResult] = useState<string | null>(null)
  const [remark, setRemark] = useState('')
  const [lacks, setLacks] = useState(false)
  const answer = async ({ answered_by }: Readonly<Record<string, string>>) => {
    setLacks(result === null)
    if (result === null) return
    const sent = await go(async () => {
      await send(elsewhereCalls.answerQuestion, {
        body: {
          token,
          result: result as 'genuine',
          answered_by: answered_by!,
          ...(remark.trim() && { remark: remark.trim() }),
        },
      })
      return true
    })
    if (sent) onDone()
  }
  const look = () =>
    go(async () => {
      const { content } = await fetchFile(elsewhereCalls.questionFile, { body: { token } })
      window.open(URL.createObjectURL(content))
    })
  return (
    <PublicPage
      as="form"
      title={t('external_question')}
      text={t('external_question_text', { university: nameOf(of.university, l) })}
    >
      <dl className={css.asked}>
        <dt>{t('external_person_name')}</dt>
        <dd>
          <bdi>{nameOf({ name: of.person, name_local: of.person_local }, l)}</bdi>
        </dd>
        <dt>{t('external_kind')}</dt>
        <dd>{say(ELSEWHERE_KINDS.find(({ value }) => value === of.kind)!.label)}</dd>
        <dt>{t('external_issuer')}</dt>
        <dd>{nameOf(of.issuer, l)}</dd>
        {of.number && (
          <>
            <dt>{t('external_number')}</dt>
            <dd>
              <bdi>{of.number}</bdi>
            </dd>
          </>
        )}
        {of.issued_on && (
          <>
            <dt>{t('external_issued_on')}</dt>
            <dd>{formatDate(of.issued_on)}</dd>
          </>
        )}
      </dl>
      <Button variant="default" leftSection={<IconEye size={16} aria-hidden />} onClick={() => void look()}>
        {t('external_look')}
      </Button>
      <PlainForm busy={busy} send={(typed) => void answer(typed)}>
        <Radio.Group
          label={t('external_result')}
          value={result}
          onChange={setResult}
          error={lacks ? t('external_choose_answer') : undefined}
        >
          {EXTERNAL_RESULTS.map(({ value, label }) => (
            <Radio key={value} value={value} label={say(label)} mt={8} />
          ))}
        </Radio.Group>
        <Asked name="answered_by" label={t('external_answered_by')} />
        <Textarea
          label={t('external_remark')}
          value={remark}
          maxLength={1000}
          dir="auto"
          onChange={({ currentTarget }) => setRemark(currentTarget.value)}
        />
        {problem !== null && (
          <Alert color="red">
            <Problems error={problem} />
          </Alert>
        )}
        <Button type="submit" loading={busy}>
          {t('external_answer')}
        </Button>
      </PlainForm>
    </PublicPage>
  )
}
