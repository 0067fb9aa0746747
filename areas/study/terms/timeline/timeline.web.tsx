import { Select } from '@mantine/core'
import { useCall } from '#kit/web/api/index.ts'
import { Coming } from '#kit/web/detail/parts.tsx'
import { Empty, Failed, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatInstant, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { to, useSearchParams } from '#kit/web/router/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { TimeStrip } from '../stages/strip.web.tsx'
import { timeline } from './timeline.contract.ts'
import css from './timeline.module.css'

/** What happens in the university this term, on one line of time with today, and in words. */
export default function TimelineScreen() {
  const t = useT('terms')
  const lang = useLanguage()
  const [query, setQuery] = useSearchParams()
  const chosen = Number(query.get('term')) || undefined
  const { data, error, refetch } = useCall(timeline, { query: chosen ? { term_id: chosen } : {} })
  const found = data?.data
  const at = (iso: string) => Date.parse(iso)
  const now = found ? at(found.now) : Date.now()
  const state = (s: { starts_at: string; ends_at: string }) =>
    at(s.ends_at) <= now ? 'over' : at(s.starts_at) > now ? 'coming' : 'open'
  return (
    <Page
      title={t('timeline')}
      subtitle={found?.term ? `${formatDate(found.term.start_date)} – ${formatDate(found.term.end_date)}` : '\u00A0'}
      action={
        found && found.terms.length > 0 ? (
          <Select
            aria-label={t('timeline_term')}
            data={found.terms.map((one) => ({ value: String(one.id), label: nameOf(one, lang) }))}
            value={found.term ? String(found.term.id) : null}
            allowDeselect={false}
            onChange={(id) => id && setQuery({ term: id }, { replace: true })}
          />
        ) : undefined
      }
    >
      {error && !found ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !found ? (
        <Coming />
      ) : !found.term ? (
        <Empty title={t('timeline_no_term')} text={t('timeline_no_term_text')} />
      ) : !found.spells.length ? (
        <Empty title={t('no_stages')} text={t('timeline_empty_text')} />
      ) : (
        <Stack>
          <TimeStrip
            label={t('stages_of_term')}
            term={found.term}
            rows={found.spells.map((s) => ({
              id: s.id,
              name: nameOf(s.what, lang),
              group: s.group,
              starts_at: s.starts_at,
              ends_at: s.ends_at,
              href: s.opens ? to('/management/stages/:id', { id: s.id }) : null,
            }))}
          />
          <Card title={t('timeline_now')}>
            <ul className={css.list}>
              {found.spells
                .filter((s) => state(s) !== 'over')
                .toSorted((a, b) => at(a.starts_at) - at(b.starts_at))
                .map((s) => (
                  <li key={s.id}>
                    <Status
                      is={state(s) === 'open' ? 'open' : 'opens_later'}
                      label={t(state(s) === 'open' ? 'timeline_open' : 'timeline_coming')}
                    />
                    <strong>
                      <bdi>{nameOf(s.what, lang)}</bdi>
                    </strong>
                    <span>
                      <bdi>{s.group ? nameOf(s.group, lang) : t('all_students')}</bdi>
                    </span>
                    <span className={css.when}>
                      {formatInstant(s.starts_at)} – {formatInstant(s.ends_at)}
                    </span>
                  </li>
                ))}
            </ul>
            {found.spells.every((s) => state(s) === 'over') && <p>{t('timeline_all_over')}</p>}
          </Card>
        </Stack>
      )}
    </Page>
  )
}
