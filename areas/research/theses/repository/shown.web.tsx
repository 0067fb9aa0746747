import { IconFileText } from '@tabler/icons-react'
import { PublicPage } from '#kit/web/app/pages/public.tsx'
import { useCall } from '#kit/web/api/hooks.ts'
import { Failed } from '#kit/web/feedback/problems.tsx'
import { useT } from '#kit/web/i18n/catalogue.ts'
import { formatDate, formatList, nameOf, withHeading } from '#kit/web/i18n/format.ts'
import { useLanguage } from '#kit/web/i18n/language.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { repositoryCalls } from './repository.contract.ts'
import { Link, useParams } from 'react-router'
import css from '../theses.module.css'

/** One thesis of the repository, in both languages; or the word that stands where one was withdrawn. */
export default function RepositoryThesis() {
  const t = useT('theses')
  const lang = useLanguage()
  const handle = useParams().handle ?? ''
  const { data, error, refetch } = useCall(repositoryCalls.shown, { params: { handle } })
  if (error && !data)
    return (
      <PublicPage as="pages" title={t('repository')}>
        <h1>{t('repository')}</h1>
        <Failed error={error} retry={() => void refetch()} />
      </PublicPage>
    )
  if (!data)
    return (
      <PublicPage as="pages" title={t('repository')}>
        <Bone height={400} />
      </PublicPage>
    )
  const of = data.data
  if (of.withdrawn)
    return (
      <PublicPage as="message" title={t('withdrawn')}>
        <h1>{t('withdrawn')}</h1>
        <p>{t('withdrawn_text', { day: formatDate(of.withdrawn_on) })}</p>
        <p dir="auto">{of.reason}</p>
        <Link to="/repository">{t('to_repository')}</Link>
      </PublicPage>
    )
  const both =
    lang === 'ar'
      ? ([
          ['ar', of.title_local, of.abstract_local, of.keywords_local],
          ['en', of.title, of.abstract, of.keywords],
        ] as const)
      : ([
          ['en', of.title, of.abstract, of.keywords],
          ['ar', of.title_local, of.abstract_local, of.keywords_local],
        ] as const)
  return (
    <PublicPage as="pages" title={both[0][1]}>
      <div className={css.public}>
        <h1>{both[0][1]}</h1>
        <p className={css.text}>
          {nameOf({ name: of.creator, name_local: of.creator_local })} · {t(`degree_${of.degree}`)} ·{' '}
          {nameOf(of.faculty)} · {formatDate(of.granted_on)}
        </p>
        {of.contributors.length > 0 && (
          <p className={css.text}>
            {withHeading(t('supervisors'), formatList(of.contributors.map((one) => nameOf(one))))}
          </p>
        )}
        {of.closed_until ? (
          <p>{t('closed_until', { day: formatDate(of.closed_until) })}</p>
        ) : (
          <p>
            <a className={css.file} href={`/api/repository/${of.handle}/file`}>
              <IconFileText size={16} aria-hidden />
              {t('open_file')}
            </a>
          </p>
        )}
        {both.map(([tongue, title, abstract, keywords], i) => (
          <section key={tongue} lang={tongue} dir={tongue === 'ar' ? 'rtl' : 'ltr'}>
            {i > 0 && <h2>{title}</h2>}
            <p className={css.prose}>{abstract}</p>
            {keywords && <p className={css.text}>{keywords}</p>}
          </section>
        ))}
      </div>
    </PublicPage>
  )
}
