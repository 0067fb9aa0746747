import { Button } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { endOfJob } from '#kit/web/detail/job-end.ts'
import { Empty, Failed, Problems, act } from '#kit/web/feedback/index.ts'
import { formatList, formatNumber, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import css from '../publications.module.css'
import { PUBLICATION_KINDS } from '../works/words.contract.ts'
import { doubleCalls as calls, PAIRS_ON_PAGE, type DoublePair, type DoubleSide } from './doubles.contract.ts'

/** Pairs that may be one: side by side, merged into the one that is chosen, or said to be two. */
export default function Doubles() {
  const t = useT('publications')
  const me = useMe()
  const [query, setQuery] = useSearchParams()
  const page = Number(query.get('page')) || 1
  const of = query.get('publication')
  const { busy, problem, go, send } = useChange('/publications')
  const { data, error, refetch } = useCall(calls.doubles, {
    query: { ...(page > 1 && { page: String(page) }), ...(of && { publication_id: of }) } as never,
  })
  const find = () =>
    go(async () => {
      const { data: begun } = await send(calls.findDoubles, { body: {} })
      await endOfJob(begun.job, () => {})
    })
  const pages = data ? Math.ceil(data.data.count / PAIRS_ON_PAGE) : 1
  return (
    <Page
      title={t('doubles')}
      subtitle={data ? t('doubles_count', { count: formatNumber(data.data.count) }) : '\u00A0'}
      action={
        me.can('edit_publication') && (
          <Button
            variant="default"
            loading={busy}
            leftSection={<IconSearch size={16} aria-hidden />}
            onClick={() => void find()}
          >
            {t('find_doubles')}
          </Button>
        )
      }
    >
      <Stack>
        {problem !== null && <Problems error={problem} />}
        {error && !data ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : !data ? (
          <Bone height={320} />
        ) : data.data.pairs.length === 0 ? (
          <Card>
            <Empty title={t('no_doubles')} text={t('no_doubles_text')} />
          </Card>
        ) : (
          data.data.pairs.map((pair) => <Pair key={pair.id} pair={pair} />)
        )}
        {pages > 1 && (
          <div className={css.line}>
            {page > 1 && (
              <Button variant="default" onClick={() => setQuery({ page: String(page - 1) })}>
                {t('previous')}
              </Button>
            )}
            <small>{t('page_of', { page: formatNumber(page), pages: formatNumber(pages) })}</small>
            {page < pages && (
              <Button variant="default" onClick={() => setQuery({ page: String(page + 1) })}>
                {t('next')}
              </Button>
            )}
          </div>
        )}
      </Stack>
    </Page>
  )
}

function Pair({ pair }: { readonly pair: DoublePair }) {
  const t = useT('publications')
  const { send } = useChange('/publications')
  const merges = pair.first.writes && pair.second.writes
  const merge = (keep: DoubleSide) =>
    void act({
      ask: { title: t('merge_question'), consequence: t('merge_text'), action: t('merge') },
      go: () => send(calls.merge, { params: { id: pair.id }, body: { keep_id: keep.id } }),
      done: () => t('merged'),
    })
  return (
    <Card
      title={t(`why_${pair.why}`)}
      text={merges ? t('sure', { percent: formatNumber(pair.score) }) : t('double_others')}
      aside={
        (pair.first.writes || pair.second.writes) && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() =>
              void act({
                go: () => send(calls.apart, { params: { id: pair.id }, body: {} }),
                done: () => t('said_apart'),
              })
            }
          >
            {t('apart')}
          </Button>
        )
      }
    >
      <div className={css.pair}>
        {[pair.first, pair.second].map((one) => (
          <Side key={one.id} of={one} {...(merges && { onKeep: () => merge(one) })} />
        ))}
      </div>
    </Card>
  )
}

function Side({ of, onKeep }: { readonly of: DoubleSide; readonly onKeep?: () => void }) {
  const t = useT('publications')
  const say = useLabel()
  const ar = useLanguage() === 'ar'
  const title = (ar ? (of.title_local ?? of.title) : (of.title ?? of.title_local)) ?? ''
  const kind = PUBLICATION_KINDS.find((one) => one.value === of.kind)
  return (
    <section className={css.side}>
      <Link to={to('/my_researches/publications/show/:id', { id: of.id })}>
        <bdi>{title}</bdi>
      </Link>
      {of.title && of.title_local && <small dir="auto">{ar ? of.title : of.title_local}</small>}
      <small className={css.dim}>
        <bdi>{formatList(of.members)}</bdi>
      </small>
      <small className={css.dim}>
        {kind && say(kind.label)} · {of.year ?? '–'}
        {of.venue && (
          <>
            {' · '}
            <bdi>{of.venue}</bdi>
          </>
        )}
      </small>
      {of.doi && (
        <small className={css.dim}>
          <bdi dir="ltr">{of.doi}</bdi>
        </small>
      )}
      {onKeep && (
        <Button size="compact-sm" variant="light" onClick={onKeep} aria-label={`${t('keep')}: ${title}`}>
          {t('keep')}
        </Button>
      )}
    </section>
  )
}
