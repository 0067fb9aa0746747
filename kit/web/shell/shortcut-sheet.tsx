import { Kbd, Modal } from '@mantine/core'
import { Fragment } from 'react'
import { shortcutsStore } from '../feedback/shortcuts.ts'
import { useT } from '../i18n/catalogue.ts'
import css from './shortcut-sheet.module.css'

/** Every key that works here, as it is bound right now. */
export default function ShortcutSheet({ close }: { close: () => void }) {
  const t = useT('kit')
  const all = shortcutsStore.use()
  const groups = (['everywhere', 'screen', 'go'] as const).map((group) => {
    const seen = new Map(all.filter((s) => s.group === group).map((s) => [s.keys, s]))
    return { group, list: [...seen.values()] }
  })
  const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
  const key = (name: string) =>
    name === 'mod' ? (isApple ? '⌘' : t('key_mod')) : name.length === 1 ? name.toUpperCase() : name
  return (
    <Modal
      opened
      onClose={close}
      title={t('keyboard_shortcuts')}
      size={680}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <div className={css.sheet}>
        {groups.map(({ group, list }) =>
          list.length === 0 ? null : (
            <section key={group}>
              <h3>
                {t(group === 'go' ? 'shortcuts_go' : group === 'screen' ? 'shortcuts_screen' : 'shortcuts_everywhere')}
              </h3>
              <dl>
                {list.map((shortcut) => (
                  <div key={shortcut.keys}>
                    <dt>{shortcut.label}</dt>
                    <dd dir={shortcut.keys.includes('+') ? 'ltr' : undefined}>
                      {shortcut.keys.split(/[ +]/).map((name, i) => (
                        <Fragment key={i}>
                          {i > 0 && (
                            <span aria-hidden>{shortcut.keys.includes(' ') ? ` ${t('shortcut_then')} ` : '+'}</span>
                          )}
                          <Kbd size="xs">{key(name)}</Kbd>
                        </Fragment>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ),
        )}
      </div>
    </Modal>
  )
}
