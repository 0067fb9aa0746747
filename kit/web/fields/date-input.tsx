/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/no-autofocus --
   the roles of the date grid pattern; the focus goes where a form asks for it */
import { useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { ActionIcon, Group, Popover, TextInput } from '@mantine/core'
import { IconCalendar, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { directionOf, formatDate, localeOf, useLanguage, useT, weekdays } from '../i18n/index.ts'
import { addDays, instantAt, timeOf } from '#kit/contract/day.ts'
import { addMonths, editDate, monthDays, parseDate, parseTime, todayIso } from './dates.ts'
import type { FieldInputProps } from './inputs.tsx'
import { hijriText } from './hijri.ts'
import css from './fields.module.css'

/** A month to choose a day from, week beginning on Saturday. Arrows follow the direction of the page. */
export function Calendar({ value, onPick }: { value: string | null; onPick: (iso: string) => void }) {
  const lang = useLanguage()
  const t = useT('kit-screens')
  const today = todayIso()
  const [focus, setFocus] = useState(value ?? today)
  const table = useRef<HTMLTableElement>(null)
  const title = useId()
  const [year = 0, month = 1] = focus.split('-').map(Number)
  const days = monthDays(year, month)
  const go = (iso: string) => {
    setFocus(iso)
    requestAnimationFrame(() => table.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const on = directionOf(lang) === 'rtl' ? -1 : 1
    const step: Record<string, () => string> = {
      ArrowRight: () => addDays(focus, on),
      ArrowLeft: () => addDays(focus, -on),
      ArrowDown: () => addDays(focus, 7),
      ArrowUp: () => addDays(focus, -7),
      PageDown: () => addMonths(focus, event.shiftKey ? 12 : 1),
      PageUp: () => addMonths(focus, event.shiftKey ? -12 : -1),
    }
    const next = step[event.key]
    if (!next) return
    event.preventDefault()
    go(next())
  }
  const short = new Intl.DateTimeFormat(localeOf(lang), {
    weekday: lang === 'ar' ? 'narrow' : 'short',
    timeZone: 'UTC',
  })
  const other = hijriText(focus, lang)
  const long = weekdays('long', 6, lang)
  return (
    <div>
      <div className={css.calendarHead}>
        <ActionIcon variant="subtle" aria-label={t('previous_month')} onClick={() => setFocus(addMonths(focus, -1))}>
          <IconChevronLeft size={16} className="pointing" />
        </ActionIcon>
        <span id={title} aria-live="polite">
          {new Intl.DateTimeFormat(localeOf(lang), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
            Date.UTC(year, month - 1, 1),
          )}
          {other && <small className={css.hijri}>{other}</small>}
        </span>
        <ActionIcon variant="subtle" aria-label={t('next_month')} onClick={() => setFocus(addMonths(focus, 1))}>
          <IconChevronRight size={16} className="pointing" />
        </ActionIcon>
      </div>
      <table className={css.calendar} role="grid" aria-labelledby={title} ref={table} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {long.map((day, i) => (
              <th key={day} scope="col" abbr={day}>
                {short.format(Date.UTC(2026, 10, 21 + i)).slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: 6 }, (_, week) => (
            <tr key={week}>
              {days.slice(week * 7, week * 7 + 7).map((iso) => (
                <td key={iso} role="presentation">
                  <button
                    type="button"
                    role="gridcell"
                    className={css.day}
                    tabIndex={iso === focus ? 0 : -1}
                    aria-selected={iso === value}
                    aria-label={[formatDate(iso, 'weekday', lang), hijriText(iso, lang)].filter(Boolean).join(' · ')}
                    title={hijriText(iso, lang) ?? undefined}
                    data-outside={Number(iso.slice(5, 7)) !== month || undefined}
                    data-today={iso === today || undefined}
                    onClick={() => onPick(iso)}
                  >
                    {Number(iso.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A date that can be typed (`20/11/2026`, `2026-11-20`, Arabic digits) or picked. Reports `YYYY-MM-DD`. */
export function DateInput(props: Omit<FieldInputProps, 'field'>) {
  const lang = useLanguage()
  const t = useT('kit-screens')
  const start = (props.defaultValue as string | null) ?? null
  const [shown, setShown] = useState(start && /^\d{4}-\d\d-\d\d$/.test(start) ? editDate(start, lang) : (start ?? ''))
  const [open, setOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const value = parseDate(shown)
  const set = (typed: string) => {
    setShown(typed)
    props.onChange(typed.trim() === '' ? null : (parseDate(typed) ?? typed.trim()))
  }
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" trapFocus returnFocus withRoles={false}>
      <Popover.Target>
        <TextInput
          ref={input}
          id={props.id}
          name={props.name}
          label={props.label}
          description={props.description}
          error={props.error}
          disabled={props.disabled}
          autoFocus={props.autoFocus}
          aria-required={props.required || undefined}
          placeholder={t('date_form')}
          classNames={{ input: `${css.ltr} ${css.number}` }}
          attributes={{ input: { dir: 'ltr' } }}
          autoComplete="off"
          inputMode="numeric"
          value={shown}
          onChange={(event) => set(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' && event.altKey) {
              event.preventDefault()
              setOpen(true)
            }
          }}
          onBlur={() => {
            if (value) setShown(editDate(value, lang))
            props.onBlur?.()
          }}
          rightSection={
            <ActionIcon
              variant="subtle"
              aria-label={t('pick_date')}
              aria-haspopup="dialog"
              aria-expanded={open}
              disabled={props.disabled}
              onClick={() => setOpen((o) => !o)}
            >
              <IconCalendar size={16} />
            </ActionIcon>
          }
        />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t('pick_date')}>
        <Calendar
          value={value}
          onPick={(iso) => {
            set(editDate(iso, lang))
            setOpen(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

/** A day and a time of day by the university's clock; reports an instant. */
export function InstantInput(props: FieldInputProps) {
  const t = useT('kit-screens')
  const at = typeof props.defaultValue === 'string' ? new Date(props.defaultValue) : null
  const known = at && !Number.isNaN(at.getTime()) ? at : null
  const [day, setDay] = useState<string | null>(known ? todayIso(known) : null)
  const [time, setTime] = useState(known ? timeOf(known) : '')
  const report = (d: string | null, clock: string) => {
    if (!d && !clock.trim()) return props.onChange(null)
    const read = parseTime(clock || '0')
    const made = d && read ? instantAt(d, read) : null
    props.onChange(made && !Number.isNaN(made.getTime()) ? made.toISOString() : `${d ?? ''} ${clock}`.trim())
  }
  return (
    <Group gap={8} align="flex-end" wrap="nowrap">
      <div style={{ flex: 1 }}>
        <DateInput
          {...props}
          defaultValue={day}
          onChange={(d) => {
            setDay(d as string | null)
            report(d as string | null, time)
          }}
        />
      </div>
      <TextInput
        w={84}
        aria-label={t('time_of_day')}
        placeholder="09:00"
        disabled={props.disabled}
        classNames={{ input: `${css.ltr} ${css.number}` }}
        attributes={{ input: { dir: 'ltr' } }}
        inputMode="numeric"
        value={time}
        onChange={(event) => {
          setTime(event.currentTarget.value)
          report(day, event.currentTarget.value)
        }}
        onBlur={() => {
          const read = parseTime(time)
          if (read) setTime(read)
          props.onBlur?.()
        }}
      />
    </Group>
  )
}
