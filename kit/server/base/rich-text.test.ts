import { describe, expect, test } from 'vitest'
import { sanitizeRichText } from './rich-text.ts'

describe('formatted text', () => {
  test.each([
    [
      'what is kept',
      '<h2>Rules</h2><p>One <strong>two</strong><br>three</p>',
      '<h2>Rules</h2><p>One <strong>two</strong><br>three</p>',
    ],
    ['names in capitals', '<P>a</P>', '<p>a</p>'],
    ['no attribute', '<p style="position:fixed" onclick="x()" class=y>a</p>', '<p>a</p>'],
    ['an element that is not kept leaves its text', '<div><font color=red>a</font></div>', 'a'],
    ['what is left open is closed', '<ul><li>a<li>b', '<ul><li>a<li>b</li></li></ul>'],
    ['what is closed in the wrong order', '<b><i>a</b>c</i>', '<b><i>a</i></b>c'],
    ['what was never opened', 'a</p></ul>', 'a'],
    ['signs that are none of a tag', '1 < 2 and 3 > 2', '1 &lt; 2 and 3 &gt; 2'],
    ['entities stay as they are', '&lt;script&gt; &amp; &#1605;', '&lt;script&gt; &amp; &#1605;'],
    ['Arabic', '<p dir="rtl">السلام</p>', '<p>السلام</p>'],
  ])('%s', (_, html, expected) => expect(sanitizeRichText(html)).toBe(expected))

  test.each([['https://u.example/a?b=1&c=2'], ['http://u.example'], ['mailto:dean@u.example'], ['/students/7']])(
    'a link to %s',
    (address) =>
      expect(sanitizeRichText(`<a title="x" href="${address}" target=_blank>a</a>`)).toBe(
        `<a href="${address}" rel="noopener noreferrer">a</a>`,
      ),
  )

  test.each([
    ['javascript:alert(1)'],
    ['JaVaScRiPt:alert(1)'],
    ['java&#115;cript:alert(1)'],
    [' javascript:alert(1)'],
    ['data:text/html,<b>'],
    ['vbscript:x'],
    ['//evil.example/a'],
    ['https://a b'],
    ['relative'],
    [''],
  ])('no link to %s', (address) => expect(sanitizeRichText(`<a href="${address}">a</a>`)).toBe('<a>a</a>'))

  test.each([
    ['a script, with its text', 'a<script>alert(1)</script>b', 'ab'],
    ['one that is never closed', 'a<script>alert(1)', 'a'],
    ['one in capitals with a space', '<SCRIPT >x</SCRIPT >b', 'b'],
    ['one that shows when another is taken out', '<scr<script></script>ipt>alert(1)</script>', 'alert(1)'],
    ['one within a comment', '<!-- <script>x</script> -->b', 'b'],
    ['a comment that hides a tag', '<p<!-- -->>a', '<p>a</p>'],
    ['an image that fails', '<img src=x onerror=alert(1)>', ''],
    ['one without an end', '<img src=x onerror=alert(1)', '&lt;img src=x onerror=alert(1)'],
    ['a drawing', '<svg><a href="javascript:x"><text>y</text></a></svg>z', 'z'],
    [
      'an attribute that ends its quote',
      `<a href='https://u.example/"onmouseover="x'>a</a>`,
      '<a href="https://u.example/&quot;onmouseover=&quot;x" rel="noopener noreferrer">a</a>',
    ],
    ['a sign of an end within an attribute', '<p title="><script>x</script>">a</p>', '<p>a</p>'],
  ])('nothing active: %s', (_, html, expected) => {
    const clean = sanitizeRichText(html)
    expect(clean).toBe(expected)
    // What is clean stays as it is.
    expect(sanitizeRichText(clean)).toBe(clean)
  })
})
