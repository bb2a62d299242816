// The widget's own script shows the preview, so that what is seen is what is embedded.

let loading: Promise<void> | null = null;

export function loadWidget(): Promise<void> {
  loading ??= new Promise((done, failed) => {
    const script = document.createElement('script');
    script.src = new URL('./widget/ridgepoint-widget.js', document.baseURI).href;
    script.onload = () => done();
    script.onerror = () => {
      // Not kept: once the network is back, opening the dialog tries again.
      loading = null;
      script.remove();
      failed(new Error(script.src));
    };
    document.head.append(script);
  });
  return loading;
}
