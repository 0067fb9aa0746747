import { Button, Loader } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconHelpCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from 'react-router'
import { codeTyped, verifyPaper } from '#kit/contract/papers.ts'
import type { Verdict } from '#kit/contract/papers.ts'
import { useCall } from '../../api/hooks.ts'
import { Failed } from '../../feedback/problems.tsx'
import { Code } from '../../feedback/words.tsx'
import { Asked, PlainForm } from '../../form/plain-form.tsx'
import { loadTexts, useLabel, useT } from '../../i18n/catalogue.ts'
import { formatDate, nameOf } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language.ts'
import css from '../../papers/papers.module.css'
import { PublicPage } from './public.tsx'

const SIGNS = { valid: IconCircleCheck, revoked: IconCircleX, unknown: IconHelpCircle } as const

/** Where the QR code of a paper leads, for anybody who holds it: valid, revoked or unknown, and nothing the holder hides. */
export default function Verify() {
  const t = useT('papers')
  const { code } = useParams()
  return (
    <PublicPage as="sheet" title={t('verify_title')}>
      {code ? <Answer code={code} /> : <Ask />}
    </PublicPage>
  )
}

function Ask() {
  const t = useT('papers')
  const say = useT('kit')
  const navigate = useNavigate()
  return (
    <PlainForm
      className={css.ask}
      send={({ code = '' }) => void navigate(`/qr_code/${encodeURIComponent(codeTyped(code))}`)}
    >
      <h1>{t('verify_title')}</h1>
      <Asked
        name="code"
        label={t('verify_code')}
        description={t('verify_text')}
        rule={(typed) => (codeTyped(typed) ? null : say('fill_in'))}
        maxLength={40}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        attributes={{ input: { dir: 'ltr' } }}
        placeholder="XXXXX-XXXXX-XXXXX-XXXXX"
        data-autofocus
      />
      <Button type="submit" size="md">
        {t('verify_go')}
      </Button>
    </PlainForm>
  )
}

function Answer({ code }: { code: string }) {
  const t = useT('papers')
  const lang = useLanguage()
  const { data, error, refetch } = useCall(verifyPaper, { params: { code } }, { retry: false, staleTime: 0 })
  const area = data?.data.paper?.area
  // The words that name it are those of its area.
  const texts = useQuery({
    queryKey: ['texts', lang, area],
    enabled: Boolean(area),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => loadTexts(area!, lang).then(() => true),
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data || (area && !texts.data))
    return (
      <div className={css.waiting} role="status">
        <Loader />
      </div>
    )
  const { state, paper } = data.data
  const Sign = SIGNS[state]
  return (
    <>
      <section className={css.verdict} data-state={state} role="status">
        <Sign size={54} stroke={1.4} aria-hidden />
        <h1>{t(`paper_${state}`)}</h1>
        <p>{t(`verify_${state}_text`)}</p>
      </section>
      {paper && <What paper={paper} />}
      <Button component={Link} to="/qr_code" variant="subtle">
        {t('verify_another')}
      </Button>
    </>
  )
}

function What({ paper }: { paper: NonNullable<Verdict['paper']> }) {
  const t = useT('papers')
  const say = useLabel()
  const lang = useLanguage()
  return (
    <dl className={css.facts}>
      <dt>{t('verify_paper')}</dt>
      <dd>{say([paper.title.name, paper.title.name_local])}</dd>
      <dt>{t('verify_holder')}</dt>
      <dd>{paper.holder ? <bdi>{nameOf(paper.holder, lang)}</bdi> : t('verify_hidden')}</dd>
      <dt>{t('verify_issued')}</dt>
      <dd>{formatDate(paper.issued_on, 'long', lang)}</dd>
      {paper.revoked_on && (
        <>
          <dt>{t('verify_revoked_on')}</dt>
          <dd>{formatDate(paper.revoked_on, 'long', lang)}</dd>
        </>
      )}
      <dt>{t('verify_serial')}</dt>
      <dd>
        <Code>{paper.serial}</Code>
      </dd>
      {paper.facts.map((fact) => (
        <FactLine key={fact.label.name} label={say([fact.label.name, fact.label.name_local])} value={fact.value} />
      ))}
    </dl>
  )
}

function FactLine({ label, value }: { label: string; value: { name: string; name_local: string } }) {
  const lang = useLanguage()
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <bdi>{nameOf(value, lang)}</bdi>
      </dd>
    </>
  )
}
