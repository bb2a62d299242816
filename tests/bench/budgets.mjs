// What the page may take, in bytes as a server sends them and in milliseconds.
export const budgets = {
  firstAnswerBytes: 150_000,
  offlineBytes: 1_500_000,
  widgetBytes: 200_000,
  firstAnswerMs: 150,
  slowFirstAnswerMs: 1_100,
  repaintMs: 16,
  slowRepaintMs: 50,
};
