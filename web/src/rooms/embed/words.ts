import type { Lang } from '../../format';

export interface EmbedWords {
  kind: string;
  kinds: { element: string; iframe: string; badge: string; link: string };
  about: { element: string; iframe: string; badge: string; link: string };
  look: string;
  view: string;
  views: { verdict: string; bar: string; full: string };
  theme: string;
  themeAuto: string;
  language: string;
  languageAuto: string;
  readonly: string;
  withLink: string;
  preview: string;
  previewLoading: string;
  previewFailed: string;
  copyThis: string;
  copies: { html: string; markdown: string; command: string; link: string; picture: string };
  noAnswer: string;
  noAddress: string;
  leftOut(parts: string): string;
  parts: {
    config: string;
    measured: string;
    env: string;
    free: string;
    quant: string;
    weights: string;
    card: string;
  };
  host: string;
  saveFile: string;
  allSettings: string;
}

export const words: Record<Lang, EmbedWords> = {
  en: {
    kind: 'What to embed',
    kinds: { element: 'Element', iframe: 'Frame', badge: 'Badge', link: 'Link' },
    about: {
      element:
        'One script and one tag. It takes the colours and the language of the page around it.',
      iframe:
        'For sites that allow no scripts of their own. The second line gives the frame its height.',
      badge: 'A picture that stays as it is: make it again when the setup or the engine changes.',
      link: 'A link to this page with this setup.',
    },
    look: 'Look',
    view: 'View',
    views: { verdict: 'Verdict', bar: 'Verdict and memory', full: 'All, with a form' },
    theme: 'Theme',
    themeAuto: 'Like the page around',
    language: 'Language',
    languageAuto: 'Like the page around',
    readonly: 'Without the form',
    withLink: 'With a link to this calculator',
    preview: 'Preview',
    previewLoading: 'Loading the preview…',
    previewFailed: 'The preview did not load. The lines below work all the same.',
    copyThis: 'To copy',
    copies: {
      html: 'HTML',
      markdown: 'Markdown',
      command: 'command',
      link: 'link',
      picture: 'picture',
    },
    noAnswer: 'There is no answer yet, so there is nothing to embed.',
    noAddress: 'This is a saved page without an address: put that of your site in its place.',
    leftOut: (parts) => `Not carried over: ${parts}.`,
    parts: {
      config: 'the pasted config',
      measured: 'measured terms',
      env: 'variables',
      free: 'free memory',
      quant: 'the quantisation config',
      weights: 'the file of weights',
      card: 'the custom card',
    },
    host: 'Better from your own server: copy ridgepoint-widget.js there and change the address.',
    saveFile: 'Save the SVG',
    allSettings: 'All attributes, events, colours and messages are described in EMBED.md.',
  },
  ru: {
    kind: 'Что встроить',
    kinds: { element: 'Элемент', iframe: 'Фрейм', badge: 'Значок', link: 'Ссылка' },
    about: {
      element: 'Один скрипт и один тег. Цвета и язык берутся у окружающей страницы.',
      iframe: 'Для сайтов, где свои скрипты не разрешены. Вторая строка подбирает высоту фрейма.',
      badge: 'Неизменная картинка: сделайте её заново, когда изменятся параметры или движок.',
      link: 'Ссылка на эту страницу с этими параметрами.',
    },
    look: 'Вид',
    view: 'Содержание',
    views: { verdict: 'Вердикт', bar: 'Вердикт и память', full: 'Всё, с формой' },
    theme: 'Тема',
    themeAuto: 'Как у страницы',
    language: 'Язык',
    languageAuto: 'Как у страницы',
    readonly: 'Без формы',
    withLink: 'Со ссылкой на этот калькулятор',
    preview: 'Предпросмотр',
    previewLoading: 'Загружается предпросмотр…',
    previewFailed: 'Предпросмотр не загрузился. Строки ниже от этого не зависят.',
    copyThis: 'Скопировать',
    copies: {
      html: 'HTML',
      markdown: 'Markdown',
      command: 'команда',
      link: 'ссылка',
      picture: 'картинка',
    },
    noAnswer: 'Ответа ещё нет, поэтому встраивать пока нечего.',
    noAddress: 'Это сохранённая страница без адреса: подставьте адрес своего сайта.',
    leftOut: (parts) => `Не переносится: ${parts}.`,
    parts: {
      config: 'вставленный config',
      measured: 'измеренные величины',
      env: 'переменные окружения',
      free: 'свободная память',
      quant: 'config квантования',
      weights: 'файл весов',
      card: 'своя карта',
    },
    host: 'Лучше со своего сервера: скопируйте туда ridgepoint-widget.js и измените адрес.',
    saveFile: 'Сохранить SVG',
    allSettings: 'Все атрибуты, события, цвета и сообщения описаны в EMBED.md.',
  },
  zh: {
    kind: '嵌入什么',
    kinds: { element: '元素', iframe: '框架', badge: '徽章', link: '链接' },
    about: {
      element: '一个脚本加一个标签。颜色和语言跟随所在页面。',
      iframe: '适用于不允许自有脚本的网站。第二行让框架的高度随内容变化。',
      badge: '固定不变的图片：配置或引擎改变后请重新生成。',
      link: '指向本页面及此配置的链接。',
    },
    look: '外观',
    view: '内容',
    views: { verdict: '结论', bar: '结论和显存', full: '全部，含表单' },
    theme: '主题',
    themeAuto: '跟随所在页面',
    language: '语言',
    languageAuto: '跟随所在页面',
    readonly: '不含表单',
    withLink: '附带本计算器的链接',
    preview: '预览',
    previewLoading: '正在加载预览…',
    previewFailed: '预览未能加载。下面的代码不受影响。',
    copyThis: '复制',
    copies: { html: 'HTML', markdown: 'Markdown', command: '命令', link: '链接', picture: '图片' },
    noAnswer: '还没有结果，因此没有可嵌入的内容。',
    noAddress: '这是没有网址的已保存页面：请换成您网站的网址。',
    leftOut: (parts) => `不会带上：${parts}。`,
    parts: {
      config: '粘贴的 config',
      measured: '实测值',
      env: '环境变量',
      free: '空闲显存',
      quant: '量化配置',
      weights: '权重文件',
      card: '自定义显卡',
    },
    host: '最好放在自己的服务器上：把 ridgepoint-widget.js 复制过去并修改地址。',
    saveFile: '保存 SVG',
    allSettings: '所有属性、事件、颜色和消息见 EMBED.md。',
  },
};
