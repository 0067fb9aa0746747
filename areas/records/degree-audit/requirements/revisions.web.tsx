import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, Problems, confirm } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatInstant, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import css from './requirements.module.css'
import { namesFrom, useSentences } from './sentences.web.ts'
import { storedCalls, type StoredRequirements } from './stored.contract.ts'
import type { Requirement } from './tree.rules.ts'

/** Revisions, the last first: what each changed, and a way back to it. */
export function Revisions({
  stored,
  onRestored,
}: {
  stored: Pick<StoredRequirements, 'of' | 'owner' | 'last' | 'abilities'>
  onRestored: () => void
}) {
  const t = useT('degree-audit')
  const lang = useLanguage()
  const params = { of: stored.of, id: stored.owner.id }
  const { most, more } = useMost(20)
  const { data, error, refetch } = useCall(
    storedCalls.requirementRevisions,
    { params, query: { most } },
    { placeholderData: keepPreviousData },
  )
  const [shown, setShown] = useState<number | null>(null)
  const { problem, send } = useChange('/requirement-trees')
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={160} />
  const restore = (to: number) =>
    void confirm({
      title: t('restore_title', { revision: to }),
      consequence: t('restore_text'),
      action: t('restore'),
      go: () => send(storedCalls.restoreRequirements, { params, body: { revision: stored.last, to } }),
    }).then((done) => done && onRestored())
  return (
    <>
      {problem !== null && <Problems error={problem} />}
      {data.data.length === 0 && <p className={css.dim}>{t('no_revisions')}</p>}
      <ul className={css.revisions}>
        {data.data.map((one) => (
          <li key={one.revision}>
            <b>{t('revision_number', { revision: one.revision })}</b>{' '}
            <span className={css.says}>
              {formatInstant(one.at, lang)}
              {one.by && ` · ${nameOf(one.by, lang)}`} · {t('requirements_count', { count: one.requirements })}
            </span>
            {one.reason && <div dir="auto">{one.reason}</div>}
            <div className={css.tools}>
              <Button
                size="compact-sm"
                variant="subtle"
                aria-expanded={shown === one.revision}
                onClick={() => setShown(shown === one.revision ? null : one.revision)}
              >
                {t('what_changed')}
              </Button>
              {stored.abilities.includes('edit') && one.revision !== stored.last && (
                <Button size="compact-sm" variant="subtle" onClick={() => restore(one.revision)}>
                  {t('restore')}
                </Button>
              )}
            </div>
            {shown === one.revision && <Compared params={params} from={one.revision - 1} to={one.revision} />}
          </li>
        ))}
      </ul>
      <MoreRows shown={data.data.length} total={data.total} onMore={more} />
    </>
  )
}

/** What differs between two revisions, in sentences. */
function Compared({ params, from, to }: { params: { of: 'program' | 'bylaw'; id: number }; from: number; to: number }) {
  const t = useT('degree-audit')
  const lang = useLanguage()
  const { data, error } = useCall(storedCalls.compareRequirements, { params, query: { from, to } })
  const then = useCall(storedCalls.requirementTree, { params, query: { revision: to } })
  const say = useSentences(namesFrom(data?.data.names))
  if (error) return <Failed error={error} />
  if (!data || !then.data) return <Bone height={60} />
  const { differences, mode } = data.data
  const now = new Map<string, Requirement>()
  const visit = (one: Requirement) => {
    now.set(one.key, one)
    if ('parts' in one) one.parts.forEach(visit)
  }
  if (then.data.data.tree) visit(then.data.data.tree)
  return (
    <ul className={css.differences}>
      {mode.before !== mode.after && <li>{t(mode.after === 'adds' ? 'mode_adds' : 'mode_replaces')}</li>}
      {differences.map((difference) => {
        const is = now.get(difference.key)
        const was =
          is && difference.fields.length
            ? {
                ...is,
                ...Object.fromEntries(difference.fields.map(({ field, before }) => [field, before ?? undefined])),
              }
            : null
        const name = nameOf(difference, lang)
        const words = was && is && was.kind === is.kind ? [say.of(was), say.of(is)] : []
        return (
          <li key={difference.key}>
            {difference.kind === 'added'
              ? t('diff_added', { name, says: is ? say.of(is) : '' })
              : difference.kind === 'removed'
                ? t('diff_removed', { name })
                : difference.fields.length && words[0] !== words[1]
                  ? t('diff_changed', { name, before: words[0], after: words[1] })
                  : difference.fields.length
                    ? t('diff_words', { name })
                    : t('diff_moved', { name })}
          </li>
        )
      })}
      {!differences.length && mode.before === mode.after && <li>{t('diff_none')}</li>}
    </ul>
  )
}
