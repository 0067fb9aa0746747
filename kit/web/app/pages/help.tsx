import { Button } from '@mantine/core'
import { IconForms, IconKeyboard, IconLock, IconSearch, IconTable } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useT } from '../../i18n/catalogue.ts'
import { useLanguage } from '../../i18n/language.ts'
import { titleOf, screenAt } from '../../router/screens.ts'
import { part } from '../../later.ts'
import { Page } from '../../shell/page.tsx'
import css from './help.module.css'

const ShortcutSheet = part(async () => (await import('../../shell/shortcut-sheet.tsx')).default)

const TOPICS = [
  ['help_search_title', 'help_search_text', IconSearch],
  ['help_lists_title', 'help_lists_text', IconTable],
  ['help_forms_title', 'help_forms_text', IconForms],
  ['help_rights_title', 'help_rights_text', IconLock],
] as const

/** How things work here, in a minute. */
export default function Help() {
  const t = useT('kit')
  const l = useLanguage()
  const [sheet, setSheet] = useState(false)
  return (
    <Page
      title={titleOf(screenAt('/help')!, l)}
      wide={false}
      action={
        <Button variant="default" leftSection={<IconKeyboard size={17} />} onClick={() => setSheet(true)}>
          {t('keyboard_shortcuts')}
        </Button>
      }
    >
      <div className={css.topics}>
        {TOPICS.map(([title, text, Icon]) => (
          <section key={title}>
            <Icon size={22} stroke={1.5} aria-hidden />
            <div>
              <h2>{t(title)}</h2>
              <p>{t(text)}</p>
            </div>
          </section>
        ))}
      </div>
      <Suspense fallback={null}>{sheet && <ShortcutSheet close={() => setSheet(false)} />}</Suspense>
    </Page>
  )
}
