import { defineConfig } from 'vitepress';

export default defineConfig({
  title: 'Serving guide',
  head: [['script', { src: '/ridgepoint-widget.js', async: '' }]],
  vue: {
    template: {
      compilerOptions: { isCustomElement: (tag) => tag === 'ridgepoint-calculator' },
    },
  },
});
