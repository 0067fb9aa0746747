import { Anchor, Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useSend } from '#kit/web/api/index.ts'
import { ApiError } from '#kit/web/api/error.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { Problems, notify } from '#kit/web/feedback/index.ts'
import { formatList, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, useNavigate, useUnsaved } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { describe } from '#areas/common/academics/problem.rules.ts'
import css from '../catalogue.module.css'
import { worksByMarks } from '../mark-regulation.rules.ts'
import { changedSettings } from './changed.rules.ts'
import { bylawDraft, useDraftOf } from './draft.web.ts'
import { useSettings } from './section.web.tsx'
import { bylawCalls } from './settings.contract.ts'
import type { BylawSettingsAnswer, Settings } from './settings.contract.ts'
import { checkBylawSettings, settingsTexts } from './settings.rules.ts'
import { anchorOf, placeOf } from './where.rules.ts'

/** A change on which approved results stand holds from a term on: the server asks which. */
const asksForTerm = (error: unknown): boolean =>
  error instanceof ApiError && error.errors.some(({ field }) => field === 'from_term_id')

/** One Save for all settings of a bylaw, in whatever tab they are changed; and what is missing, with where. */
export default function BylawSaveBar({ row }: { row: { id: number } }) {
  const { data } = useSettings(row.id)
  return data ? <Bar id={row.id} saved={data.data} /> : null
}

function Bar({ id, saved }: { id: number; saved: BylawSettingsAnswer }) {
  const t = useT('catalogue')
  const tk = useT('kit-screens')
  const say = useLabel()
  const lang = useLanguage()
  const navigate = useNavigate()
  const typed = useDraftOf(id)
  const draft = useMemo(() => changedSettings<Partial<Settings>>(typed, saved), [typed, saved])
  const keys = Object.keys(draft)
  const [from, setFrom] = useState<number | null>(null)
  const done = () => {
    bylawDraft.set(null)
    setFrom(null)
  }
  const save = useSend(bylawCalls.setSettings, {
    onDone: () => {
      done()
      notify.done(t('saved'))
    },
  })
  useUnsaved(keys.length > 0 && !save.isPending, 'screen')
  // What was typed is gone with the screen; leaving it was asked about.
  useEffect(() => () => bylawDraft.set(null), [])
  // What was refused is told until something else is typed.
  const [sent, setSent] = useState<unknown>(null)
  const error = sent === draft ? save.error : null

  const byMarks = worksByMarks(saved.program_type)
  const problems = checkBylawSettings({ ...saved, ...draft })
  const mine = problems.filter(({ field }) => keys.includes(field?.split('.')[0] ?? ''))
  const lines = [...Map.groupBy(problems, (problem) => problemText(describe(problem, settingsTexts)))].map(
    ([text, [first]]) => ({ text, place: placeOf(first!.field, byMarks) }),
  )
  const titles = [
    ...new Set(keys.map((key) => placeOf(key, byMarks)).flatMap((place) => (place ? [say(place.title)] : []))),
  ]
  const editable = saved.abilities.includes('edit_settings')
  return (
    <>
      {editable && lines.length > 0 && (
        <Card title={t('what_is_missing')} text={t('what_is_missing_text')}>
          <ul className={css.missing}>
            {lines.map(({ text, place }) => (
              <li key={text}>
                {place ? (
                  <Anchor component={Link} to={`?tab=${place.tab}#${anchorOf(place.title)}`}>
                    {say(place.title)}
                  </Anchor>
                ) : null}{' '}
                {text}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {keys.length > 0 && (
        <section className={`${css.saveBar} no-print`} data-save-bar aria-label={tk('unsaved_changes')}>
          {error && <Problems error={error} title={t('not_saved')} />}
          {(from !== null || asksForTerm(error)) && (
            <div className={css.choice}>
              <LookupInput
                resource="term"
                label={t('settings_from')}
                defaultValue={from}
                onChange={(chosen) => setFrom(typeof chosen === 'number' ? chosen : null)}
              />
            </div>
          )}
          <div className={css.saveLine}>
            <span aria-live="polite">
              {mine.length > 0
                ? t('mend_first', { count: mine.length })
                : t('changed_in', { names: formatList(titles, lang) })}
            </span>
            <Button variant="default" onClick={done} disabled={save.isPending}>
              {t('discard')}
            </Button>
            <Button
              loading={save.isPending}
              leftSection={<IconCheck size={16} aria-hidden />}
              onClick={() => {
                const wrong = mine[0] && placeOf(mine[0].field, byMarks)
                // Nothing is sent that cannot be saved: it is shown where it stands.
                if (wrong) return void navigate(`?tab=${wrong.tab}#${anchorOf(wrong.title)}`)
                setSent(draft)
                save.mutate({
                  params: { id },
                  body: { ...draft, version: saved.version, ...(from !== null && { from_term_id: from }) },
                })
              }}
            >
              {t('save')}
            </Button>
          </div>
        </section>
      )}
    </>
  )
}
