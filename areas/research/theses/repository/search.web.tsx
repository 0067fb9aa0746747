import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { PublicPage } from '#kit/web/app/pages/public.tsx'
import { useCall } from '#kit/web/api/hooks.ts'
import { Empty, Failed } from '#kit/web/feedback/problems.tsx'
import { useT } from '#kit/web/i18n/catalogue.ts'
import { formatDate, nameOf } from '#kit/web/i18n/format.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { repositoryCalls } from './repository.contract.ts'
import { Link, useSearchParams } from 'react-router'
import css from '../theses.module.css'

/** Theses of the university for everybody: by words of title, author, abstract and keywords, in Arabic or English. */
export default function Repository() {
  const t = useT('theses')
  const [query, setQuery] = useSearchParams()
  const q = query.get('q') ?? ''
  const page = Math.max(1, Number(query.get('page') ?? 1) || 1)
  const [typed, setTyped] = useState(q)
  const { data, error, refetch } = useCall(repositoryCalls.search, { query: { q, page } })
  const go = (next: number) => setQuery({ ...(q && { q }), page: String(next) })
  return (
    <PublicPage as="pages" title={t('repository')}>
      <div className={css.public}>
        <h1>{t('repository')}</h1>
        <form
          role="search"
          className={css.line}
          onSubmit={(event) => {
            event.preventDefault()
            setQuery(typed.trim() ? { q: typed.trim() } : {})
          }}
        >
          <TextInput
            className={css.grow}
            aria-label={t('search')}
            placeholder={t('search_words')}
            maxLength={200}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Button type="submit" leftSection={<IconSearch size={16} aria-hidden />}>
            {t('search')}
          </Button>
        </form>
        {error && !data ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : !data ? (
          <Bone height={320} />
        ) : data.data.length === 0 ? (
          <Empty title={t('nothing_found')} text={t('nothing_found_text')} />
        ) : (
          <ul className={css.list}>
            {data.data.map((one) => (
              <li key={one.handle}>
                <Link to={`/repository/${one.handle}`}>{nameOf({ name: one.title, name_local: one.title_local })}</Link>
                <p className={css.text}>
                  {nameOf({ name: one.creator, name_local: one.creator_local })} · {nameOf(one.faculty)} ·{' '}
                  {t(`degree_${one.degree}`)} · {formatDate(one.granted_on)}
                </p>
              </li>
            ))}
          </ul>
        )}
        {(page > 1 || data?.meta.more) && (
          <div className={css.line}>
            <Button variant="default" disabled={page === 1} onClick={() => go(page - 1)}>
              {t('previous')}
            </Button>
            <Button variant="default" disabled={!data?.meta.more} onClick={() => go(page + 1)}>
              {t('next')}
            </Button>
          </div>
        )}
      </div>
    </PublicPage>
  )
}
