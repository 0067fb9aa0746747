import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconGripVertical, IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Name, Problems, Status, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { moved, useReorder } from '#kit/web/fields/reorder.ts'
import {
  formatDate,
  formatInstant,
  formatNumber,
  nameOf,
  problemText,
  useLabel,
  useLanguage,
  useT,
} from '#kit/web/i18n/index.ts'
import { useUnsaved } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Conditions } from '../distribution/distribution.web.tsx'
import { Ladder } from '../distribution/ladder.web.tsx'
import { WINDOW_STATES } from '../windows/window.contract.ts'
import { preferenceCalls, type Offer, type OwnWindow } from './preferences.contract.ts'
import css from '../specializations.module.css'

/** A window with the wishes of one student: put in order while it is open, shown with what became of them afterwards. */
export function WindowCard({ window, student }: { window: OwnWindow; student: number | null }) {
  const t = useT('specializations')
  const say = useLabel()
  const lang = useLanguage()
  const state = WINDOW_STATES.find((windowState) => windowState.value === window.state)!
  return (
    <Card
      title={t('window_title', {
        from: formatDate(window.start_date, 'long', lang),
        to: formatDate(window.end_date, 'long', lang),
      })}
      aside={<Status tone={state.tone} label={say(state.label)} />}
    >
      {window.result ? (
        <Ladder ladder={window.result} />
      ) : window.closed.length ? (
        <Fixed window={window} />
      ) : (
        <Sort window={window} student={student} />
      )}
    </Card>
  )
}

/** Wishes that cannot be changed, and why. */
function Fixed({ window }: { window: OwnWindow }) {
  const t = useT('specializations')
  const lang = useLanguage()
  const by = new Map(window.offers.map((offer) => [offer.specialization.id, offer]))
  return (
    <>
      {window.closed.map((problem) => (
        <p key={problem.code} className={css.dim}>
          {problemText(problem, lang)}
        </p>
      ))}
      {window.wishes.length ? (
        <ol className={css.list}>
          {window.wishes.map((id, i) => (
            <li key={id} className={css.item}>
              <span className={css.number}>{formatNumber(i + 1)}</span>
              <Name row={by.get(id)?.specialization ?? null} />
              <span />
            </li>
          ))}
        </ol>
      ) : (
        window.state !== 'planned' && <p className={css.dim}>{t('no_wishes')}</p>
      )}
    </>
  )
}

/** What an offer asks for, and what of that the student does not meet as things stand. */
function Asks({ offer }: { offer: Offer }) {
  const t = useT('specializations')
  const lang = useLanguage()
  return (
    <span className={css.words}>
      <strong>
        <Name row={offer.specialization} />
      </strong>
      <span className={css.dim}>
        {t('places_of', { count: offer.capacity })} · <Conditions of={offer} />
      </span>
      {offer.unmet.map((problem) => (
        <span key={`${problem.code} ${problem.en}`} className={css.note}>
          {problemText(problem, lang)}
        </span>
      ))}
    </span>
  )
}

/** The list as it is put in order: by dragging, by buttons under a thumb, by arrow keys. It is saved as one. */
function Sort({ window, student }: { window: OwnWindow; student: number | null }) {
  const t = useT('specializations')
  const k = useT('kit-screens')
  const lang = useLanguage()
  const [wishes, setWishes] = useState<readonly number[]>(window.wishes)
  const [told, setTold] = useState('')
  const { busy, problem, go, send } = useChange('/specialization-time', '/specialization')
  const changed = wishes.length !== window.wishes.length || wishes.some((id, i) => id !== window.wishes[i])
  useUnsaved(changed)
  const by = new Map(window.offers.map((one) => [one.specialization.id, one]))
  const chosen = wishes.flatMap((id) => by.get(id) ?? [])
  const open = window.offers.filter((one) => !wishes.includes(one.specialization.id))
  const move = (from: number, to: number) => setWishes((list) => moved(list, from, to))
  const reorder = useReorder(wishes.length, move, (to) =>
    setTold(t('order_told', { place: to + 1, count: wishes.length })),
  )
  const save = () =>
    go(async () => {
      await send(preferenceCalls.save, {
        params: { id: window.id },
        body: {
          specialization_ids: [...wishes],
          version: window.version,
          ...(student !== null && { student_id: student }),
        },
      })
      notify.done(t('wishes_saved'))
    })
  return (
    <>
      <p className={css.dim}>{t('sort_text', { most: window.most })}</p>
      {problem !== null && <Problems error={problem} />}
      {chosen.length > 0 && (
        <ol className={css.list} aria-label={t('wishes')}>
          {chosen.map((offer, i) => {
            const name = nameOf(offer.specialization, lang)
            return (
              <li key={offer.specialization.id} className={css.item} {...reorder.place(i)}>
                <span className={css.place}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    className={css.handle}
                    aria-label={t('order_handle', { name })}
                    {...reorder.handle(i)}
                  >
                    <IconGripVertical size={16} aria-hidden />
                  </ActionIcon>
                  <span className={css.number}>{formatNumber(i + 1)}</span>
                </span>
                <Asks offer={offer} />
                <span className={css.tools}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    disabled={i === 0}
                    aria-label={t('wish_up', { name })}
                    onClick={() => move(i, i - 1)}
                  >
                    <IconChevronUp size={16} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    disabled={i === chosen.length - 1}
                    aria-label={t('wish_down', { name })}
                    onClick={() => move(i, i + 1)}
                  >
                    <IconChevronDown size={16} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('wish_remove', { name })}
                    onClick={() => setWishes(wishes.filter((id) => id !== offer.specialization.id))}
                  >
                    <IconX size={16} aria-hidden />
                  </ActionIcon>
                </span>
              </li>
            )
          })}
        </ol>
      )}
      <VisuallyHidden aria-live="polite">{told}</VisuallyHidden>
      {open.length > 0 && (
        <>
          <h3>{t('offered')}</h3>
          <ul className={css.list}>
            {open.map((offer) => (
              <li key={offer.specialization.id} className={css.item}>
                <span />
                <Asks offer={offer} />
                <ActionIcon
                  variant="light"
                  disabled={wishes.length >= window.most}
                  aria-label={t('wish_add', { name: nameOf(offer.specialization, lang) })}
                  onClick={() => setWishes([...wishes, offer.specialization.id])}
                >
                  <IconPlus size={16} aria-hidden />
                </ActionIcon>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className={css.bar}>
        <Submit onClick={() => void save()} loading={busy} missing={[!changed && k('nothing_changed')]}>
          {t('save_wishes')}
        </Submit>
        <span className={css.dim}>
          {changed
            ? t('wishes_changed')
            : window.saved_at
              ? t('saved_at', { at: formatInstant(window.saved_at, lang) })
              : t('nothing_saved')}
        </span>
      </div>
    </>
  )
}
