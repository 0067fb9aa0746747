import { Button, Loader } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconClockX, IconHelpCircle, IconReplace } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { codeTyped, isPaperCode, verifyPaper } from '#kit/contract/papers.ts'
import type { Verdict } from '#kit/contract/papers.ts'
import { useCall } from '../../api/hooks.ts'
import { Failed } from '../../feedback/problems.tsx'
import { Code } from '../../feedback/words.tsx'
import { Asked, PlainForm } from '../../form/plain-form.tsx'
import { loadTexts, useLabel, useT } from '../../i18n/catalogue.ts'
import { formatDate, formatInstant, nameOf } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language.ts'
import { judgeFile, type CheckedFile } from '#kit/contract/paper-file.ts'
import { FileCheck } from '../../papers/file-check.tsx'
import css from '../../papers/papers.module.css'
import { PublicPage } from './public.tsx'

const SIGNS = {
  valid: IconCircleCheck,
  revoked: IconCircleX,
  replaced: IconReplace,
  expired: IconClockX,
  unknown: IconHelpCircle,
} as const

/** The file that was chosen where no code was known yet: the page of its code is another one, and finds it here. */
let chosen: CheckedFile | null = null

/** Where the QR code of a paper leads, for anybody who holds it: what it is worth, and nothing the holder hides. A file of it is compared here, too. */
export default function Verify() {
  const t = useT('papers')
  const { code } = useParams()
  const navigate = useNavigate()
  const [file, setFile] = useState(() => (code && chosen?.code === codeTyped(code) ? chosen : null))
  const take = (given: CheckedFile | null) => {
    chosen = given
    setFile(given)
    if (!code && given?.code) void navigate(`/qr_code/${given.code}`)
  }
  return (
    <PublicPage as="sheet" title={t('verify_title')}>
      {!code ? (
        <Ask />
      ) : isPaperCode(code) ? (
        <Answer code={codeTyped(code)} file={file} forget={() => take(null)} />
      ) : (
        <NoCode forget={() => take(null)} />
      )}
      {!code && file && (
        <p className={css.told} role="alert">
          {t('verify_file_none')}
        </p>
      )}
      <FileCheck onFile={take} />
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
        rule={(typed) => (isPaperCode(typed) ? null : codeTyped(typed) ? t('verify_no_code_text') : say('fill_in'))}
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

/** The number of a receipt, say: it stands under a square, too, and nothing here says that it is not genuine. */
function NoCode({ forget }: { forget: () => void }) {
  const t = useT('papers')
  return (
    <>
      <section className={css.verdict} data-state="unknown" role="status">
        <IconHelpCircle size={54} stroke={1.4} aria-hidden />
        <h1>{t('verify_no_code')}</h1>
        <p>{t('verify_no_code_text')}</p>
      </section>
      <Button component={Link} to="/qr_code" variant="subtle" onClick={forget}>
        {t('verify_another')}
      </Button>
    </>
  )
}

function Answer({ code, file, forget }: { code: string; file: CheckedFile | null; forget: () => void }) {
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
  // That somebody changed the file in hand is read before that such a paper was issued.
  const changed = paper !== null && file !== null && judgeFile(file, { code, ...paper }) === 'changed'
  return (
    <>
      {changed && <File code={code} paper={paper} file={file} />}
      <section className={css.verdict} data-state={state} role="status">
        <Sign size={54} stroke={1.4} aria-hidden />
        <h1>{t(`paper_${state}`)}</h1>
        <p>{t(`verify_${state}_text`)}</p>
      </section>
      {paper && file && !changed && <File code={code} paper={paper} file={file} />}
      {paper && <What paper={paper} />}
      <Button component={Link} to="/qr_code" variant="subtle" onClick={forget}>
        {t('verify_another')}
      </Button>
    </>
  )
}

/** What the file that somebody holds is worth beside what was issued. */
function File({ code, paper, file }: { code: string; paper: NonNullable<Verdict['paper']>; file: CheckedFile }) {
  const t = useT('papers')
  const lang = useLanguage()
  const is = judgeFile(file, { code, ...paper })
  return (
    <section className={css.verdict} data-state={is} data-of="file" role="status">
      <bdi>{file.name}</bdi>
      <strong>{t(`verify_file_${is}`)}</strong>
      {is === 'as_issued' && paper.signature && (
        <p>{t('verify_file_signed', { at: formatInstant(paper.signature.at, lang) })}</p>
      )}
    </section>
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
      {paper.valid_until && (
        <>
          <dt>{t('verify_valid_until')}</dt>
          <dd>{formatDate(paper.valid_until, 'long', lang)}</dd>
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
