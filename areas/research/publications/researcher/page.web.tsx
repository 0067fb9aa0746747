import { useEffect } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { useCall } from '#kit/web/api/hooks.ts'
import { PublicPage } from '#kit/web/app/pages/public.tsx'
import { Problems } from '#kit/web/feedback/problems.tsx'
import { useT } from '#kit/web/i18n/catalogue.ts'
import { useLanguage } from '#kit/web/i18n/language.ts'
import { nameOf } from '#kit/web/i18n/format.ts'
import { useParams } from 'react-router'
import css from '../publications.module.css'
import { researcherCalls as calls } from './researcher.contract.ts'

type Shown = ResponseOf<typeof calls.page>['data']
const POSITIONS = [
  'professor',
  'associate_professor',
  'lecturer',
  'assistant_lecturer',
  'demonstrator',
  'expert',
] as const

/** What a researcher wants everybody to see; the same for machines as JSON-LD. */
export default function ResearcherPublicPage() {
  const t = useT('publications')
  const slug = useParams().slug ?? ''
  const { data, error } = useCall(calls.page, { params: { slug } })
  const of = data?.data
  useEffect(() => {
    if (!of) return
    const script = document.createElement('script')
    script.type = 'application/ld+json'
    script.textContent = JSON.stringify(of.json_ld)
    document.head.append(script)
    return () => script.remove()
  }, [of])
  return (
    <PublicPage as="pages" title={of ? nameOf(of) : t('researcher')}>
      {error ? (
        <>
          <h1>{t('researcher')}</h1>
          <Problems error={error} />
        </>
      ) : of ? (
        <Person of={of} />
      ) : (
        <p aria-busy="true">{'\u00A0'}</p>
      )}
    </PublicPage>
  )
}

function Person({ of }: { readonly of: Shown }) {
  const t = useT('publications')
  const ar = useLanguage() === 'ar'
  const position = POSITIONS.find((one) => one === of.position)
  const interests = ar ? (of.interests_local ?? of.interests) : (of.interests ?? of.interests_local)
  const about = ar ? (of.about_local ?? of.about) : (of.about ?? of.about_local)
  return (
    <>
      <h1>{nameOf(of)}</h1>
      <div className={css.person}>
        {of.photo && <img className={css.photo} src={of.photo} alt="" width={112} height={112} />}
        <div>
          <p>
            {[
              position && t(`position_${position}`),
              of.department && nameOf(of.department),
              of.faculty && nameOf(of.faculty),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          {of.orcid && (
            <p>
              <a href={`https://orcid.org/${of.orcid}`} rel="noreferrer" dir="ltr">
                ORCID {of.orcid}
              </a>
            </p>
          )}
          {interests && <p dir="auto">{interests}</p>}
        </div>
      </div>
      {about && (
        <p className={css.about} dir="auto">
          {about}
        </p>
      )}
      <h2>{t('publications')}</h2>
      {of.works.length === 0 && <p className={css.dim}>{t('nothing_listed')}</p>}
      <ol className={css.works}>
        {of.works.map((work) => (
          <li key={work.id}>
            <bdi>{ar ? (work.title_local ?? work.title) : (work.title ?? work.title_local)}</bdi>
            <small className={css.dim}>
              <bdi>{work.members.join(ar ? '، ' : ', ')}</bdi>
            </small>
            <small className={css.dim}>
              {work.year}
              {work.venue && (
                <>
                  {' · '}
                  <bdi>{work.venue}</bdi>
                </>
              )}
              {work.doi && (
                <>
                  {' · '}
                  <a href={`https://doi.org/${work.doi}`} rel="noreferrer" dir="ltr">
                    {work.doi}
                  </a>
                </>
              )}
              {work.file && (
                <>
                  {' · '}
                  <a href={work.file}>PDF</a>
                </>
              )}
            </small>
          </li>
        ))}
      </ol>
      {of.more && <p className={css.dim}>{t('more_works')}</p>}
      <Supervised of={of} />
      <Projects of={of} />
    </>
  )
}

/** Theses with which a degree was granted; those in the repository are linked. */
function Supervised({ of }: { readonly of: Shown }) {
  const t = useT('publications')
  const ar = useLanguage() === 'ar'
  if (of.theses.length === 0) return null
  return (
    <>
      <h2>{t('theses_supervised')}</h2>
      <ul className={css.works}>
        {of.theses.map((one, i) => {
          const title = <bdi>{ar ? one.title_local : one.title}</bdi>
          return (
            <li key={one.handle ?? i}>
              {one.handle ? <a href={`/repository/${one.handle}`}>{title}</a> : title}
              <small className={css.dim}>
                {t(`thesis_${one.degree}`)} · {one.year}
              </small>
            </li>
          )
        })}
      </ul>
    </>
  )
}

function Projects({ of }: { readonly of: Shown }) {
  const t = useT('publications')
  const ar = useLanguage() === 'ar'
  if (of.projects.length === 0) return null
  return (
    <>
      <h2>{t('research_projects')}</h2>
      <ul className={css.works}>
        {of.projects.map((one) => (
          <li key={`${one.name} ${one.since}`}>
            <bdi>{ar ? one.name_local : one.name}</bdi>
            <small className={css.dim}>
              {t(`job_${one.job}`)} · {t(`project_${one.status}`)} ·{' '}
              <bdi dir="ltr">
                {one.since}–{one.until}
              </bdi>
            </small>
          </li>
        ))}
      </ul>
    </>
  )
}
