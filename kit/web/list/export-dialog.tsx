import { Button, Checkbox, Modal, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { download } from '../api/index.ts'
import type { AnyCall } from '../api/index.ts'
import { Problems, notify } from '../feedback/index.ts'
import { Submit } from '../feedback/submit.tsx'
import { paperLanguageOf, useLabel, useT } from '../i18n/index.ts'
import type { Label } from '../i18n/index.ts'
import css from './list.module.css'

/** The documents' limit; the server refuses more. */
const LIMIT = 5000

/** Exports what the list shows (its search, filters and order, or the selected rows) with the columns chosen. */
export default function ExportDialog({
  call,
  kind,
  columns,
  shown,
  body,
  count,
  ids,
  onClose,
}: {
  call: AnyCall
  kind: 'xlsx' | 'pdf'
  columns: readonly { readonly key: string; readonly label: Label }[]
  shown: readonly string[]
  body: Readonly<Record<string, unknown>>
  count: number
  ids?: () => Promise<number[]>
  onClose: () => void
}) {
  const t = useT('kit-screens')
  const say = useLabel()
  const [chosen, setChosen] = useState<string[]>(() => columns.filter((c) => shown.includes(c.key)).map((c) => c.key))
  const [lang, setLang] = useState<string>(paperLanguageOf())
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const go = async () => {
    setBusy(true)
    setError(null)
    try {
      const { page: _page, perPage: _size, ...rest } = body
      const picked = columns.filter((c) => chosen.includes(c.key)).map((c) => c.key)
      await download(call, { body: { ...rest, columns: picked, lang, ...(ids && { ids: await ids() }) } })
      notify.done(t('exported'))
      onClose()
    } catch (problem) {
      setError(problem)
      setBusy(false)
    }
  }
  const all = chosen.length === columns.length
  return (
    <Modal
      opened
      closeButtonProps={{ 'aria-label': t('close') }}
      onClose={onClose}
      title={t(kind === 'pdf' ? 'export_pdf' : 'export_xlsx')}
      size="lg"
    >
      <p className={css.dialogLine}>
        {count > LIMIT
          ? t('export_over_limit', { count, max: LIMIT })
          : t(ids ? 'export_selected' : 'export_matching', { count })}
      </p>
      <Checkbox
        mb="sm"
        label={t('all_columns')}
        checked={all}
        indeterminate={!all && chosen.length > 0}
        onChange={() => setChosen(all ? [] : columns.map((c) => c.key))}
      />
      <Checkbox.Group value={chosen} onChange={setChosen} aria-label={t('columns')}>
        <div className={css.checks}>
          {columns.map((c) => (
            <Checkbox key={c.key} value={c.key} label={say(c.label)} />
          ))}
        </div>
      </Checkbox.Group>
      <div style={{ marginBlockStart: 16 }}>
        <SegmentedControl
          aria-label={t('paper_language')}
          value={lang}
          onChange={setLang}
          data={[
            { value: 'ar', label: 'العربية' },
            { value: 'en', label: 'English' },
          ]}
        />
      </div>
      {error !== null && <Problems error={error} />}
      <div className={css.dialogButtons}>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Submit
          data-autofocus
          loading={busy}
          missing={[!chosen.length && t('columns'), count > LIMIT && t('export_over_limit', { count, max: LIMIT })]}
          onClick={() => void go()}
        >
          {t('export')}
        </Submit>
      </div>
    </Modal>
  )
}
